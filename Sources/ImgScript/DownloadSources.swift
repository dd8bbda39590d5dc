import Downloads
import HTTPTransport
import ProviderModel
import ProviderRuntime

/// The providers whose files are downloaded, each with what its files may be fetched with.
actor DownloadSources {
    private let providers: LoadedProviders
    private var named: [String: ScriptProvider] = [:]
    private var sources: [ProviderID: Task<DownloadSource, any Error>] = [:]
    private let directory: ProviderDirectory
    /// The servers that the user chose, for all providers and for single ones.
    private let instances: ChosenInstances
    /// The cookies of the user's logins, for files that are named by their URLs.
    private let cookies: (any CookieSource)?
    /// The sources of such files, by their hosts.
    private var fileSources: [String: DownloadSource] = [:]
    /// Called with a sentence for the user.
    private let warning: @Sendable (String) -> Void
    /// Whether details may be requested for files that lists lack.
    private let asksDetails: Bool
    private var candidates: PageCandidates?
    /// The providers to ask about pages, by their ids.
    private var pages: [[String]: Task<[ScriptProvider], Never>] = [:]

    init(
        _ providers: LoadedProviders, in directory: ProviderDirectory, instances: ChosenInstances,
        cookies: (any CookieSource)?, asksDetails: Bool, warning: @escaping @Sendable (String) -> Void
    ) {
        self.providers = providers
        self.directory = directory
        self.instances = instances
        self.cookies = cookies
        self.asksDetails = asksDetails
        self.warning = warning
    }

    /// The provider of a name, the same for a whole run.
    func provider(named name: String) async throws -> ScriptProvider {
        if let known = named[name] { return known }
        let provider = try await providers.provider(named: name)
        named[name] = provider
        return provider
    }

    /// Where a provider's files come from.
    func source(of id: ProviderID) async throws -> DownloadSource {
        let (providers, asksDetails) = (providers, asksDetails)
        let task =
            sources[id]
            ?? Task {
                let provider = try await providers.provider(named: id.description)
                return DownloadSource(
                    provider.manifest, instance: provider.server, credentials: try await provider.fileCredentials(),
                    asksDetails: asksDetails)
            }
        sources[id] = task
        return try await task.value
    }

    /// Where the file at a URL of the user's comes from, with the cookies for its host.
    func source(of file: WebURL) throws -> DownloadSource {
        guard let cookies else { return .bareURLs }
        if let known = fileSources[file.authority] { return known }
        let source = try DownloadSource.bareURLs(of: file, cookies: cookies)
        if source == nil { warning("\(cookies.name): found no cookie for \(file.host)") }
        fileSources[file.authority] = source ?? .bareURLs
        return source ?? .bareURLs
    }

    /// The item that a page shows, and its provider; nil for a page of none.
    ///
    /// `wanted` are the providers that may know it; nil for all.
    func item(at url: WebURL, in wanted: [String]? = nil) async -> (ScriptProvider, Item)? {
        let providers = providers
        let names = wanted ?? pageCandidates.names(for: url)
        guard !names.isEmpty else { return nil }
        let task = pages[names] ?? Task { await providers.usable(of: names) }
        pages[names] = task
        for provider in await task.value {
            if let item = provider.item(at: url) { return (provider, item) }
        }
        return nil
    }

    private var pageCandidates: PageCandidates {
        let candidates = candidates ?? PageCandidates(directory.entries(), instances: instances)
        self.candidates = candidates
        return candidates
    }
}

/// The providers that may know a page, as far as their files show without being evaluated: each names its domain somewhere.
struct PageCandidates: Sendable {
    /// The providers that name a domain, in the order of the folders.
    private var byDomain: [String: [String]] = [:]
    /// Those for software that runs on many servers.
    private var forInstances: [String] = []
    /// The servers that were named for them.
    private let instances: ChosenInstances

    init(_ entries: [ProviderDirectory.Entry], instances: ChosenInstances) {
        self.instances = instances
        for entry in entries {
            // A file that cannot be read is reported when it is asked for by name.
            guard let text = try? entry.file.source().text else { continue }
            let name = entry.file.id.description
            for domain in Self.domains(in: text) { byDomain[domain, default: []].append(name) }
            if text.holds("{instance}") { forInstances.append(name) }
        }
    }

    /// The domains of all words in a text that have a dot.
    private static func domains(in text: String) -> Set<String> {
        var domains: Set<String> = []
        let bytes = Array(text.utf8)
        var place = 0
        while let dot = bytes[place...].firstIndex(of: UInt8(ascii: ".")) {
            let start = bytes[place..<dot].lastIndex { !isOfWord($0) }.map { $0 + 1 } ?? place
            let end = bytes[dot...].firstIndex { !isOfWord($0) } ?? bytes.endIndex
            domains.insert(domain(of: String(decoding: bytes[start..<end], as: UTF8.self).lowercased()))
            place = end
        }
        return domains
    }

    private static func isOfWord(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."):
            true
        default: false
        }
    }

    /// The last two labels of a host; all of an IP address.
    private static func domain(of host: String) -> String {
        let labels = host.utf8.split(separator: UInt8(ascii: ".")).suffix(3)
        let digits = UInt8(ascii: "0")...UInt8(ascii: "9")
        guard labels.count > 2, let first = labels.last?.first, !digits.contains(first) else { return host }
        return labels.suffix(2).map { String(Substring($0)) }.joined(separator: ".")
    }

    /// The ids of the providers to ask about a page.
    func names(for url: WebURL) -> [String] {
        let named = byDomain[Self.domain(of: url.host)] ?? []
        return named + forInstances.filter { !named.contains($0) && instances[$0]?.host == url.host }
    }
}

/// The servers that the user chose for software that runs on many.
struct ChosenInstances: Sendable {
    /// The server of all providers that have none of their own.
    let common: WebURL?
    /// The servers of single providers, by their ids.
    let byProvider: [String: WebURL]

    /// The server of a provider; nil where none was chosen.
    subscript(_ provider: String) -> WebURL? { byProvider[provider] ?? common }

    /// The servers of providers that have one, by the providers' ids.
    func servers(of providers: [String]) -> [String: String] {
        Dictionary(providers.compactMap { name in self[name].map { (name, $0.description) } }) { first, _ in first }
    }
}
