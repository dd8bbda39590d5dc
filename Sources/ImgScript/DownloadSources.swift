import Downloads
import Glibc
import ProviderModel
import ProviderRuntime

/// The providers whose files are downloaded, each with what its files may be fetched with.
actor DownloadSources {
    private let providers: LoadedProviders
    private var named: [String: ScriptProvider] = [:]
    private var sources: [ProviderID: Task<DownloadSource, any Error>] = [:]
    private let directory: ProviderDirectory
    private let instance: WebURL?
    private var candidates: PageCandidates?
    private var pages: [[String]: Task<PageProviders, Never>] = [:]

    init(_ providers: LoadedProviders, in directory: ProviderDirectory, instance: WebURL?) {
        self.providers = providers
        self.directory = directory
        self.instance = instance
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
        let providers = providers
        let task =
            sources[id]
            ?? Task {
                let provider = try await providers.provider(named: id.description)
                return DownloadSource(
                    provider.manifest, instance: provider.server, credentials: try await provider.fileCredentials())
            }
        sources[id] = task
        return try await task.value
    }

    /// What a provider takes the page at an address for; nil when it is a page of none.
    func item(at url: WebURL) async -> (ScriptProvider, Item)? {
        let providers = providers
        let names = pageCandidates.names(for: url)
        guard !names.isEmpty else { return nil }
        let task = pages[names] ?? Task { PageProviders(await providers.usable(of: names)) }
        pages[names] = task
        return await task.value.item(at: url)
    }

    /// The providers that may know a page.
    var pageCandidates: PageCandidates {
        let candidates = candidates ?? PageCandidates(directory.entries(), instance: instance)
        self.candidates = candidates
        return candidates
    }
}

/// The providers that may know a page, as far as their files show without being evaluated: all name their domain somewhere.
struct PageCandidates: Sendable {
    /// The providers, by the numbers of domains: two that have the same are distinguished by the providers themselves.
    private var byDomain: [UInt64: [Int]] = [:]
    private var names: [String] = []
    /// Those for software that runs on many servers.
    private var forInstances: [Int] = []
    /// The host of the server that was named for them.
    private let instance: String?

    init(_ entries: [ProviderDirectory.Entry], instance: WebURL?) {
        self.instance = instance?.host
        for entry in entries {
            // A file that cannot be read is reported when it is asked for by name.
            guard var text = try? entry.file.source().text else { continue }
            names.append(entry.file.id.description)
            text.withUTF8 { add($0) }
        }
    }

    /// Notes all domains that a file names, which is everything in it that has a dot: seen byte by byte, for all files are
    /// looked through before the first is downloaded.
    private mutating func add(_ text: UnsafeBufferPointer<UInt8>) {
        let provider = names.count - 1
        var place = 0
        while let dot = text.place(of: UInt8(ascii: "."), from: place) {
            var start = dot
            while start > place, Self.isOfWord(text[start - 1]) { start -= 1 }
            place = dot + 1
            while place < text.count, Self.isOfWord(text[place]) { place += 1 }
            let number = Self.domain(of: UnsafeBufferPointer(rebasing: text[start..<place]))
            if byDomain[number]?.last != provider { byDomain[number, default: []].append(provider) }
        }
        let mark = "{instance}".utf8
        place = 0
        while let brace = text.place(of: UInt8(ascii: "{"), from: place) {
            if text[brace...].starts(with: mark) { return forInstances.append(provider) }
            place = brace + 1
        }
    }

    private static func isOfWord(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x61...0x7a, 0x41...0x5a, 0x30...0x39, UInt8(ascii: "-"), UInt8(ascii: "."): true
        default: false
        }
    }

    /// The providers to ask about a page.
    func names(for url: WebURL) -> [String] {
        var host = url.host
        let named = byDomain[host.withUTF8 { Self.domain(of: $0) }] ?? []
        guard host == instance else { return named.map { names[$0] } }
        return (named + forInstances.filter { !named.contains($0) }).map { names[$0] }
    }

    /// Which of these addresses a provider has to be asked about; mostly one follows another on the same host.
    func mayHold(_ addresses: [WebURL?]) -> [Bool] {
        var last: (host: String, mayHold: Bool)?
        return addresses.map { url in
            guard let url else { return true }
            let host = url.host
            if let last, last.host == host { return last.mayHold }
            let mayHold = !names(for: url).isEmpty
            last = (host, mayHold)
            return mayHold
        }
    }

    /// A number for the last two labels of a host, in small letters; for all of an address such as 127.0.0.1.
    private static func domain(of host: UnsafeBufferPointer<UInt8>) -> UInt64 {
        let dot = UInt8(ascii: ".")
        var labels = host[...]
        if let last = host.lastIndex(of: dot), let other = host[..<last].lastIndex(of: dot),
            !(last + 1 < host.count && (0x30...0x39).contains(host[last + 1]))
        {
            labels = host[(other + 1)...]
        }
        // FNV-1a: the numbers need only differ.
        var number: UInt64 = 0xcbf2_9ce4_8422_2325
        for byte in labels {
            number = (number ^ UInt64((0x41...0x5a).contains(byte) ? byte | 0x20 : byte)) &* 0x100_0000_01b3
        }
        return number
    }
}

extension UnsafeBufferPointer<UInt8> {
    /// Where a byte is found next, at a place or behind it.
    fileprivate func place(of byte: UInt8, from start: Int) -> Int? {
        guard start < count, let baseAddress, let found = memchr(baseAddress + start, Int32(byte), count - start) else {
            return nil
        }
        return UnsafeRawPointer(found) - UnsafeRawPointer(baseAddress)
    }
}

/// The providers that may know a page, by its host: of a hundred thousand addresses few are held against patterns.
struct PageProviders {
    private var byHost: [String: [ScriptProvider]] = [:]
    /// Those with a pattern for many hosts.
    private var forAnyHost: [ScriptProvider] = []

    init(_ providers: [ScriptProvider]) {
        for provider in providers {
            let hosts = Set(provider.manifest.matches.compactMap { Self.host(of: $0.pattern, server: provider.server) })
            if hosts.contains(where: { $0.contains("{") || $0.contains("*") }) {
                forAnyHost.append(provider)
            } else {
                for host in hosts { byHost[host, default: []].append(provider) }
            }
        }
    }

    /// The first provider that knows the page, and what it shows.
    func item(at url: WebURL) -> (ScriptProvider, Item)? {
        for provider in byHost[Self.plain(url.host)] ?? [] {
            if let item = provider.item(at: url) { return (provider, item) }
        }
        for provider in forAnyHost {
            if let item = provider.item(at: url) { return (provider, item) }
        }
        return nil
    }

    /// The host that a pattern is for; nil for a short form, which is no address.
    private static func host(of pattern: String, server: WebURL?) -> String? {
        if pattern.hasPrefix("{instance}") { return server.map { plain($0.host) } }
        guard pattern.hasPrefix("http://") || pattern.hasPrefix("https://") else { return nil }
        let place = pattern.drop { $0 != "/" }.dropFirst(2)
        // A port is no part of a host, and a pattern may have one.
        return plain(String(place.prefix { $0 != "/" && $0 != "?" && $0 != ":" }))
    }

    private static func plain(_ host: String) -> String { host.hasPrefix("www.") ? String(host.dropFirst(4)) : host }
}
