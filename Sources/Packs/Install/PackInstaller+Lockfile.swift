import ProviderRuntime
import ProviderModel

extension PackInstaller {
    /// Brings what a lockfile names here, exactly, and fails where it is something else.
    ///
    /// What was kept of it on this machine serves before anything is fetched.
    package func restore(_ pack: LockedPack, named name: String) async throws {
        let workspace = try store.workspace()
        let archive: PackArchive
        if let kept = store.archive(of: pack, named: name) {
            archive = kept
        } else {
            archive = try await fetch(pack, named: name, in: workspace)
        }
        var expectation = PackExpectation.anything
        expectation.name = try PackName(name)
        expectation.version = SemanticVersion(pack.version)
        let folder = "\(workspace.path)/pack"
        let unpacked = try archive.unpack(into: folder, expecting: expectation)
        try await checkGrants(of: pack, named: name, unpacked.manifest, in: folder)
        try store.restore(
            pack, named: name, content: PackContent(folder: folder, archive: archive), for: lockfile)
    }

    /// Goes back to the version that was used before; returns it, and the one whose place it takes.
    package func rollBack(_ name: String) throws -> (former: LockedPack, current: LockedPack) {
        let lock = try store.lock(at: lockfile)
        guard let current = lock.packs[name] else { throw PackError.notInstalled(name, lock, lockfile) }
        guard let former = try store.former(of: name, in: lockfile) else {
            throw PackError(
                .notInstalled, "there is no version of \(name) before \(current.version) to go back to",
                hint: "imgscript pack install installs any version")
        }
        var content: PackContent?
        let workspace = try store.workspace()
        if let archive = store.archive(of: former, named: name), store.condition(of: former, named: name) != .whole {
            let folder = "\(workspace.path)/pack"
            _ = try archive.unpack(into: folder)
            content = PackContent(folder: folder, archive: archive)
        }
        try store.use(former, named: name, content: content, inPlaceOf: current, in: lockfile)
        return (former, current)
    }

    private func fetch(
        _ pack: LockedPack, named name: String, in workspace: PackWorkspace
    ) async throws -> PackArchive {
        let source = try exactSource(of: pack)
        let fetched = try await fetcher.fetch(source, in: workspace)
        guard fetched.archive.integrity.description == pack.integrity else {
            throw PackError(
                .integrity,
                "\(name) \(pack.version) came as \(fetched.archive.integrity.description.prefix(24))…, "
                    + "and \(lockfile) has "
                    + "\(pack.integrity.prefix(24))…", subject: name,
                hint: "what lies at \(source) has changed; imgscript pack install shows what it is now")
        }
        return fetched.archive
    }

    /// Where exactly a pack came from; a registry says it again where the address had a key that was not kept.
    private func exactSource(of pack: LockedPack) throws -> PackSource {
        let source = try PackSource(pack.source)
        guard let resolved = pack.resolved else { return source }
        if case .registry(let name, _) = source, !AddressSecrets.missing(in: resolved).isEmpty {
            return .registry(name, wanted: pack.version)
        }
        return try PackSource(resolved)
    }

    /// A lockfile may grant less than a pack asks for only by somebody's hand, who would not see why it does nothing.
    private func checkGrants(
        of pack: LockedPack, named name: String, _ manifest: PackManifest, in folder: String
    ) async throws {
        let permissions = try await PackPermissions.of(manifest, in: folder, worker: worker)
        var found = pack
        found.providers = Dictionary(
            uniqueKeysWithValues: permissions.providers.map { ($0.id.description, ProviderGrant($0)) })
        let more = PermissionDifference(from: pack, to: found).added
        guard more.isEmpty else {
            throw PackError(
                .permission,
                "\(name) \(pack.version) asks for more than \(lockfile) grants: \(more.joined(separator: "; "))",
                subject: name, hint: "imgscript pack update \(name) --accept hosts grants it")
        }
    }
}
