import ProviderModel
import ProviderRuntime

/// An index in the making: packs, and what is said against their versions, which outlasts the next build.
package struct IndexBuild: Sendable {
    /// What is said against a version.
    package enum Mark: Sendable {
        /// It should no longer be used.
        case deprecated
        /// It must not be used: it stops where it is installed.
        case revoked
    }

    private let former: PackIndex?
    /// The packs so far.
    package private(set) var packs: [String: PackIndex.Pack] = [:]

    /// A build in place of an index that was written before.
    package init(inPlaceOf former: PackIndex?) {
        self.former = former
        for (name, pack) in former?.packs ?? [:] {
            var pack = pack
            // What was revoked stops wherever it was installed, whether its archive is still offered or not.
            pack.versions = pack.versions.filter { $0.value.revoked != nil }
            if !pack.versions.isEmpty { packs[name] = pack }
        }
    }

    /// Adds a version of a pack; `archive` is its URL, relative to the index.
    package mutating func add(_ candidate: PackCandidate, at archive: String) throws(PackError) {
        let manifest = candidate.manifest
        let (name, version) = (manifest.name.description, manifest.version.description)
        let integrity = candidate.fetched.archive.integrity.description
        if let other = packs[name]?.versions[version], other.integrity != integrity, other.revoked == nil {
            throw PackError(
                .index, "\(name) \(version) is there twice, with different content: \(other.archive) and \(archive)",
                hint: "remove one of them, or give it another version")
        }
        let before = former?.packs[name]?.versions[version]
        let entry = PackIndex.Version(
            archive: archive, integrity: integrity, size: candidate.fetched.archive.bytes.count,
            contract: manifest.contract, key: candidate.key?.description,
            signature: candidate.fetched.signature?.text, providers: Self.providers(of: candidate),
            deprecated: before?.deprecated, revoked: before?.revoked)
        var pack = packs[name] ?? PackIndex.Pack(versions: [:])
        pack.versions[version] = entry
        // The pack is described by its newest version.
        if pack.versions.keys.compactMap({ SemanticVersion($0) }).max() == manifest.version {
            pack.description = manifest.summary
            pack.license = manifest.license
            pack.homepage = manifest.homepage ?? manifest.repository
            let keywords = manifest.keywords.filter { $0 != "imgscript" }
            pack.keywords = keywords.isEmpty ? nil : keywords
        }
        packs[name] = pack
    }

    /// Says something against the versions of `NAME@RANGE`, or of a whole pack; returns these versions.
    @discardableResult
    package mutating func mark(_ text: String, as mark: Mark, reason: String) throws(PackError) -> [String] {
        try change(text) { entry in
            switch mark {
            case .deprecated: entry.deprecated = reason
            case .revoked: entry.revoked = reason
            }
        }
    }

    /// Takes back what was said against the versions of `NAME@RANGE`; returns these versions.
    @discardableResult
    package mutating func restore(_ text: String) throws(PackError) -> [String] {
        try change(text) { entry in
            entry.deprecated = nil
            entry.revoked = nil
        }
    }

    private mutating func change(
        _ text: String, _ change: (inout PackIndex.Version) -> Void
    ) throws(PackError) -> [String] {
        let (name, wanted) = PackSource.parts(of: text)
        guard let range = wanted == "latest" ? .any : VersionRange(wanted) else {
            throw PackError(.version, "\(wanted.quoted) is not a version range", subject: text)
        }
        let isExact = SemanticVersion(wanted) != nil
        let versions = (packs[name]?.versions ?? [:]).keys.filter { version in
            wanted == "latest" || (isExact && version == wanted)
                || SemanticVersion(version).map { range.contains($0) } == true
        }
        guard !versions.isEmpty else {
            let known = packs[name]?.versions.keys.sorted().joined(separator: ", ")
            throw PackError(
                .version,
                "no version of \(name) matches \(wanted) "
                    + (known.map { "(the index has \($0))" } ?? "(the index has no such pack)"), subject: text)
        }
        for version in versions {
            guard var entry = packs[name]?.versions[version] else { continue }
            change(&entry)
            packs[name]?.versions[version] = entry
        }
        return versions.sorted().map { "\(name) \($0)" }
    }

    /// The versions of the former index that are no longer there.
    package var dropped: [String] {
        (former?.packs ?? [:]).sorted { $0.key < $1.key }.flatMap { name, pack in
            pack.versions.keys.filter { packs[name]?.versions[$0] == nil }.sorted().map { "\(name) \($0)" }
        }
    }

    /// The index, later than the former one.
    package func index(at seconds: Int, key: PublicKey, status: PackIndex.StatusPlace?) -> PackIndex {
        let before = former.flatMap { DateTime(iso8601: $0.made) }?.secondsSince1970 ?? 0
        return PackIndex(
            made: DateTime(secondsSince1970: max(seconds, before + 1)).iso8601, key: key,
            status: status ?? former?.status, packs: packs)
    }

    private static func providers(of candidate: PackCandidate) -> [String: PackIndex.Provider] {
        let locked = candidate.providers
        let entries = candidate.manifests.compactMap { manifest -> (String, PackIndex.Provider)? in
            guard let provider = locked[manifest.id.description] else { return nil }
            return (
                manifest.id.description,
                PackIndex.Provider(
                    name: manifest.name, version: manifest.version, about: manifest.summary,
                    homepage: manifest.homepage?.description,
                    operations: manifest.operations.map(\.operation.rawValue), file: provider.file,
                    permissions: provider.permissions)
            )
        }
        return Dictionary(entries) { first, _ in first }
    }
}
