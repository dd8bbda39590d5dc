import ProviderModel
import ProviderRuntime

extension IndexStore {
    /// A pack of an index.
    package struct Found: Sendable {
        /// The index.
        package let index: TrustedIndex
        /// The pack's name.
        package let name: String
        /// The version that would be installed.
        package let version: SemanticVersion
        /// The pack, and this version of it.
        package let pack: PackIndex.Pack
        package let entry: PackIndex.Version
        /// The providers that a search is about; all of them where the pack itself matches.
        package let providers: [String]

        /// As it is named to install it: `anna:@anna/boards`.
        package var source: String { "\(index.name):\(name)" }
    }

    /// The packs that match all of some words, best first: by the names of providers, hosts, keywords, then by other text.
    package func search(_ words: [String]) -> [Found] {
        let words = words.map { $0.lowercased() }
        let ranked = latestPacks().compactMap { found -> (rank: Int, found: Found)? in
            PackMatch(found, words).map { ($0.rank, found.about($0.providers)) }
        }
        return ranked.sorted { ($0.rank, $0.found.source) < ($1.rank, $1.found.source) }.map(\.found)
    }

    /// The packs that have a provider.
    package func packs(withProvider id: String) -> [Found] {
        latestPacks().filter { $0.entry.providers[id] != nil }.map { $0.about([id]) }
    }

    /// The newest version of an installed pack that an index has; nil where none is newer.
    package func newest(_ name: String, than version: String) -> Found? {
        guard let version = SemanticVersion(version) else { return nil }
        return latestPacks().first { $0.name == name && $0.version > version }
    }

    /// The newest version of each pack of each index.
    private func latestPacks() -> [Found] {
        entries.flatMap { index in
            index.content.packs.sorted { $0.key < $1.key }.compactMap { name, pack in
                pack.latest.map {
                    Found(
                        index: index.trusted, name: name, version: $0.version, pack: pack, entry: $0.entry,
                        providers: $0.entry.providers.keys.sorted())
                }
            }
        }
    }
}

extension IndexStore.Found {
    fileprivate func about(_ providers: [String]) -> IndexStore.Found {
        IndexStore.Found(
            index: index, name: name, version: version, pack: pack, entry: entry, providers: providers)
    }
}

/// A pack that matches the words of a search.
private struct PackMatch {
    /// 0 for the name of a provider or of the pack, 1 for a host, 2 for a keyword, 3 for other text: that of the worst word.
    let rank: Int
    /// The providers that match; all of them where only the pack does.
    let providers: [String]

    /// nil where one of the words is nowhere.
    init?(_ found: IndexStore.Found, _ words: [String]) {
        var rank = 0
        var matching: Set<String> = []
        for word in words {
            let providers = found.entry.providers.compactMap { id, provider in
                Self.rank(of: word, in: id, provider).map { (id: id, rank: $0) }
            }
            let ofPack = Self.rank(of: word, in: found)
            guard let best = (providers.map(\.rank) + [ofPack].compactMap(\.self)).min() else { return nil }
            rank = max(rank, best)
            matching.formUnion(providers.filter { $0.rank == best }.map(\.id))
        }
        self.rank = rank
        providers = matching.isEmpty ? found.providers : matching.sorted()
    }

    private static func rank(of word: String, in id: String, _ provider: PackIndex.Provider) -> Int? {
        if id.contains(word) { return 0 }
        let hosts = provider.permissions.hosts + provider.permissions.mediaHosts
        if word.contains("."), hosts.contains(where: { $0.description.contains(word) }) { return 1 }
        let texts = [provider.name, provider.about ?? "", provider.homepage ?? ""] + hosts.map(\.description)
        return (texts + provider.operations).contains { $0.lowercased().contains(word) } ? 3 : nil
    }

    private static func rank(of word: String, in found: IndexStore.Found) -> Int? {
        if found.name.contains(word) { return 0 }
        if (found.pack.keywords ?? []).contains(where: { $0.lowercased() == word }) { return 2 }
        return [found.pack.description ?? "", found.pack.homepage ?? ""].contains { $0.lowercased().contains(word) }
            ? 3 : nil
    }
}
