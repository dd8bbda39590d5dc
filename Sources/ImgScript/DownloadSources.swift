import Downloads
import ProviderModel
import ProviderRuntime

/// The providers whose files are downloaded, each with what its files may be fetched with.
actor DownloadSources {
    private let providers: LoadedProviders
    private var named: [String: ScriptProvider] = [:]
    private var sources: [ProviderID: Task<DownloadSource, any Error>] = [:]
    private let directory: ProviderDirectory
    private let instance: WebURL?
    /// Whether details may be requested for files that lists lack.
    private let asksDetails: Bool
    private var candidates: PageCandidates?
    /// The providers to ask about pages, by their ids.
    private var pages: [[String]: Task<[ScriptProvider], Never>] = [:]

    init(_ providers: LoadedProviders, in directory: ProviderDirectory, instance: WebURL?, asksDetails: Bool) {
        self.providers = providers
        self.directory = directory
        self.instance = instance
        self.asksDetails = asksDetails
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

    /// The item that a page shows, and its provider; nil for a page of none.
    func item(at url: WebURL) async -> (ScriptProvider, Item)? {
        let providers = providers
        let names = pageCandidates.names(for: url)
        guard !names.isEmpty else { return nil }
        let task = pages[names] ?? Task { await providers.usable(of: names) }
        pages[names] = task
        for provider in await task.value {
            if let item = provider.item(at: url) { return (provider, item) }
        }
        return nil
    }

    private var pageCandidates: PageCandidates {
        let candidates = candidates ?? PageCandidates(directory.entries(), instance: instance)
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
    /// The host of the server that was named for them.
    private let instance: String?

    init(_ entries: [ProviderDirectory.Entry], instance: WebURL?) {
        self.instance = instance?.host
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
        return url.host == instance ? named + forInstances.filter { !named.contains($0) } : named
    }
}
