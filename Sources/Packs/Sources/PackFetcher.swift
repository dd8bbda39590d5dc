import Glibc
import ProviderModel

/// Fetches packs from any source: each becomes one archive with one digest.
package struct PackFetcher: Sendable {
    private let registry: RegistryClient
    private let git: GitProgram
    private let indexes: IndexStore

    /// A fetcher over a registry client, git and indexes.
    package init(registry: RegistryClient, git: GitProgram, indexes: IndexStore) {
        self.registry = registry
        self.git = git
        self.indexes = indexes
    }

    /// Fetches a pack, with its signature where it has one; `workspace` is for what is needed meanwhile.
    package func fetch(_ source: PackSource, in workspace: PackWorkspace) async throws -> FetchedPack {
        let missing = source.missingKeys
        guard missing.isEmpty else { throw PackError.keyless(source.description, without: missing) }
        return switch source {
        case .folder(let path): FetchedPack(source, try PackArchive(try PackBuild.build(folder: path).archive))
        case .archive(let path): try archive(at: path, source)
        case .address(let url): try await tarball(at: url, source)
        case .git(let address): try await checkout(of: address, source, workspace)
        case .registry(let name, let wanted, let registry): try await release(of: name, wanted, at: registry, source)
        case .index(let index, let name, let wanted): try await entry(of: name, wanted, in: index, source)
        }
    }

    /// The versions that a source has of an installed pack.
    package func versions(
        at source: PackSource, installed: String, in workspace: PackWorkspace
    ) async throws -> AvailableVersions {
        switch source {
        case .registry(let name, let wanted, let url):
            return try await registry.versions(of: name, wanted: wanted, installed: installed, at: url)
        case .index(let index, let name, let wanted):
            let pack = try await pack(name, in: try indexes.trusted.index(named: index))
            // Of what was revoked the reason is told, and what there is instead.
            let entry = pack.versions[installed]
            let instead = entry?.revoked == nil ? nil : pack.version(for: wanted) ?? pack.latest
            let found = try instead ?? Self.version(wanted, of: name, pack, in: index)
            return AvailableVersions(
                wanted: found.version.description, latest: (pack.latest ?? found).version.description,
                remark: entry?.revoked.map { "revoked: \($0)" } ?? entry?.deprecated.map { "deprecated: \($0)" })
        case .folder, .archive, .address, .git:
            let version = try await fetch(source, in: workspace).archive.read().version.description
            return AvailableVersions(wanted: version, latest: version)
        }
    }

    private func pack(_ name: PackName, in index: TrustedIndex) async throws -> PackIndex.Pack {
        let content = try await indexes.refresh(index, over: registry.network).content
        guard let pack = content.packs[name.description] else {
            let others = Array(content.packs.keys.sorted().prefix(8))
            throw PackError(
                .index,
                "the index \(index.name) has no pack \(name)"
                    + name.description.suggestion(
                        among: others, expected: others.isEmpty ? nil : others.joined(separator: ", ")),
                subject: name.description, hint: .searchRegistry)
        }
        return pack
    }

    private static func version(
        _ wanted: String, of name: PackName, _ pack: PackIndex.Pack, in index: String
    ) throws(PackError) -> (version: SemanticVersion, entry: PackIndex.Version) {
        if let found = pack.version(for: wanted) { return found }
        let revoked = pack.versions.filter { Self.isIn(wanted, $0.key) }
            .compactMap { version, entry in entry.revoked.map { "\(version) was revoked: \($0)" } }.sorted()
        let usable = pack.usable.prefix(3).map(\.version.description)
        throw PackError(
            revoked.isEmpty ? .version : .revoked,
            "no version of \(name) matches \(wanted) (the index \(index) has "
                + "\(usable.isEmpty ? "none" : usable.joined(separator: ", ")))"
                + revoked.prefix(3).map { "; \($0)" }.joined(),
            subject: name.description,
            hint: usable.isEmpty ? .removePack(name.description) : .addPack("\(index):\(name)"))
    }

    private static func isIn(_ wanted: String, _ version: String) -> Bool {
        guard wanted != "latest", let range = VersionRange(wanted), let version = SemanticVersion(version) else {
            return wanted == "latest"
        }
        return range.contains(version)
    }

    private func entry(
        of name: PackName, _ wanted: String, in indexName: String, _ source: PackSource
    ) async throws -> FetchedPack {
        let index = try indexes.trusted.index(named: indexName)
        let found = try Self.version(wanted, of: name, try await pack(name, in: index), in: indexName)
        let url = try IndexStore.resolve(found.entry.archive, in: try index.address)
        var pack = FetchedPack(source, try PackArchive(try await registry.tarball(at: url)))
        guard pack.archive.integrity == PackIntegrity(found.entry.integrity) else {
            throw PackError(
                .integrity,
                "\(name) \(found.version) has the digest \(pack.archive.integrity.short) "
                    + "(expected \(found.entry.integrity.prefix(24))…, from the index \(indexName))",
                subject: name.description, hint: "do not install it; report it to whoever makes the index")
        }
        pack.resolved = AddressSecrets.masked(url.description)
        pack.registry = AddressSecrets.masked(index.url)
        pack.signature = try found.entry.signature.map { text throws(PackError) in try PackSignature(parsing: text) }
        pack.expectation.name = name
        pack.expectation.version = found.version
        if let reason = found.entry.deprecated {
            pack.remarks.append("\(name) \(found.version) is deprecated: \(reason.quoted)")
        }
        return pack
    }

    private func archive(at path: String, _ source: PackSource) throws -> FetchedPack {
        var pack = FetchedPack(source, try PackArchive(fileAt: path))
        let signature = PackSignature.path(forArchiveAt: path)
        if access(signature, F_OK) == 0 { pack.signature = try PackSignature.read(fileAt: signature) }
        return pack
    }

    private func tarball(at url: WebURL, _ source: PackSource) async throws -> FetchedPack {
        var pack = FetchedPack(source, try PackArchive(try await registry.tarball(at: url)))
        pack.signature = try await registry.signature(beside: url)
        return pack
    }

    private func checkout(
        of address: GitAddress, _ source: PackSource, _ workspace: PackWorkspace
    ) async throws -> FetchedPack {
        let folder = "\(workspace.path)/repository"
        try FileSystem.makeFolder(folder)
        let commit = try await GitCheckout(git: git, address: address)
            .fetch(into: folder, allowing: registry.network.allowedHosts)
        var pack = FetchedPack(source, try PackArchive(try PackBuild.build(folder: folder).archive))
        pack.resolved = address.at(commit)
        return pack
    }

    private func release(
        of name: PackName, _ wanted: String, at url: WebURL?, _ source: PackSource
    ) async throws -> FetchedPack {
        let release = try await registry.release(of: name, wanted: wanted, at: url)
        var pack = FetchedPack(source, try PackArchive(try await registry.tarball(at: release.tarball)))
        pack.resolved = AddressSecrets.masked(release.tarball.description)
        pack.registry = AddressSecrets.masked(release.registry.description)
        if let remark = try release.check(pack.archive) { pack.remarks.append(remark) }
        if let reason = release.deprecation {
            pack.remarks.append("\(name) \(release.version) is deprecated: \(reason.quoted)")
        }
        pack.expectation.name = name
        pack.expectation.version = release.version
        pack.registryKey = release.registryKey
        pack.signature = try await registry.signature(beside: release.tarball)
        return pack
    }
}

/// The versions that a source has of an installed pack.
package struct AvailableVersions: Hashable, Sendable {
    /// The version that would be installed.
    package let wanted: String
    /// The latest version.
    package let latest: String
    /// What is said against the installed version, such as `deprecated: use another`; nil for nothing.
    package var remark: String?
}

/// A pack's archive as fetched, with what its source reports about it.
package struct FetchedPack: Sendable {
    /// Where it comes from.
    package let source: PackSource
    /// The archive.
    package let archive: PackArchive
    /// The resolved source; nil where it equals the source.
    package var resolved: String?
    /// The URL of the registry; nil for other sources.
    var registry: String?
    /// What the archive has to hold.
    var expectation = PackExpectation.anything
    /// The minisign signature beside it; nil where there was none.
    package var signature: PackSignature?
    /// The registry's key that signed it; nil where no registry did.
    package var registryKey: String?
    /// What the user should know, in sentences.
    package var remarks: [String] = []

    init(_ source: PackSource, _ archive: PackArchive) {
        self.source = source
        self.archive = archive
    }
}
