import Glibc
import ProviderModel

/// Fetches packs from any source: each becomes one archive with one digest.
package struct PackFetcher: Sendable {
    private let registry: RegistryClient
    private let git: GitProgram

    /// A fetcher over a registry client and git.
    package init(registry: RegistryClient, git: GitProgram) {
        self.registry = registry
        self.git = git
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
        }
    }

    /// The versions that a source stands for: the one that would be installed, and the latest there is.
    package func versions(
        at source: PackSource, in workspace: PackWorkspace
    ) async throws -> (wanted: String, latest: String) {
        if case .registry(let name, let wanted, let url) = source {
            return try await registry.versions(of: name, wanted: wanted, at: url)
        }
        let version = try await fetch(source, in: workspace).archive.read().version.description
        return (version, version)
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
