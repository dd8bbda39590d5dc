import ProviderModel
import ProviderRuntime

/// Installs packs: fetch, verify, inspect, plan; then, with the user's consent, store.
package struct PackInstaller: Sendable {
    private let store: PackStore
    private let fetcher: PackFetcher
    private let worker: WorkerSettings
    private let lockfile: String
    private let core: ShippedCore

    /// An installer that puts packs into a store and writes a lockfile.
    package init(
        store: PackStore, fetcher: PackFetcher, worker: WorkerSettings, lockfile: String, core: ShippedCore
    ) {
        self.store = store
        self.fetcher = fetcher
        self.worker = worker
        self.lockfile = lockfile
        self.core = core
    }

    /// Fetches a pack, verifies it and determines the permissions it requests; nothing is installed.
    ///
    /// - Parameters:
    ///   - source: where the pack comes from.
    ///   - key: the key that it has to be signed with; nil for the pinned one or the pack's own.
    ///   - workspace: where it is unpacked; nil for a workspace of the store, from which it can be installed.
    /// - Returns: the pack with its permissions.
    /// - Throws: ``PackError``, which names the source; an error of its providers; `CancellationError`.
    package func candidate(
        from source: PackSource, key: PublicKey? = nil, in workspace: PackWorkspace? = nil
    ) async throws -> PackCandidate {
        let workspace = try workspace ?? store.workspace()
        do { return try await inspect(source, key: key, in: workspace) } catch let error as PackError {
            throw error.subject == nil ? error.about(source.description) : error
        }
    }

    private func inspect(
        _ source: PackSource, key: PublicKey?, in workspace: PackWorkspace
    ) async throws -> PackCandidate {
        let fetched = try await fetcher.fetch(source, in: workspace)
        let content = try fetched.archive.unpack(into: "\(workspace.path)/pack", expecting: fetched.expectation)
        let manifest = content.manifest
        let lock = try store.lockfile(at: lockfile)
        let former = lock.packs[manifest.name.description]
        let isCore = manifest.name.description == CorePack.name
        let pinned = try former?.key.map { text throws(PackError) in try PublicKey(parsing: text) }
        // The program's own key has the say about its own pack.
        let keys =
            isCore && core.key != nil
            ? TrustedKeys(named: key, pinned: core.key, stated: nil)
            : TrustedKeys(named: key, pinned: pinned, stated: manifest.publicKey)
        let signer = try keys.signer(of: fetched.archive, fetched.signature)
        let manifests = try await ProviderInspection.manifests(of: manifest, in: content.folder, worker: worker)
        let shipped = isCore ? try await core.locked(unlessOlderThan: former, content, manifests, worker) : nil
        return PackCandidate(
            content: content, manifests: manifests, fetched: fetched, key: signer, lock: lock, shipped: shipped,
            workspace: workspace)
    }

    /// The changes of an installation; throws for a revoked version, and for a provider that another pack has.
    package func plan(for candidate: PackCandidate) throws(PackError) -> InstallPlan {
        try store.checkRevocation(of: candidate.fetched.archive.integrity.description)
        let plan = InstallPlan(candidate, source: candidate.fetched.source.text(for: lockfile))
        _ = try candidate.lock.using(plan.next, named: plan.name, inPlaceOf: plan.former)
        return plan
    }

    /// Stores a planned pack and updates the lockfile; a failure leaves the former state.
    package func place(_ plan: InstallPlan) throws {
        try store.use(
            plan.next, named: plan.name, content: plan.candidate.content, inPlaceOf: plan.former, in: lockfile)
    }

    // MARK: What a lockfile names

    /// Installs exactly what a lockfile names, and fails where that is not available.
    ///
    /// The archive stored on this machine is used before anything is fetched.
    package func restore(_ pack: LockedPack, named name: String) async throws {
        try store.checkRevocation(of: pack.integrity)
        let workspace = try store.workspace()
        let archive: PackArchive
        if let stored = store.archive(of: pack, named: name) {
            archive = stored
        } else {
            archive = try await fetch(pack, named: name, in: workspace)
        }
        let expectation = PackExpectation(name: try PackName(name), version: SemanticVersion(pack.version))
        let content = try archive.unpack(into: "\(workspace.path)/pack", expecting: expectation)
        // Only a lockfile edited by hand grants less than a pack requests, and then its providers would fail without a reason.
        var found = pack
        found.providers = ProviderInspection.locked(
            try await ProviderInspection.manifests(of: content.manifest, in: content.folder, worker: worker),
            of: content.manifest)
        let more = found.permissions(beyond: pack)
        guard more.isEmpty else {
            throw PackError(
                .permission,
                "\(name) \(pack.version) asks for more than \(lockfile) allows: \(more.joined(separator: "; "))",
                subject: name, hint: .updatePack(name))
        }
        guard content.scripts == pack.scripts else {
            throw PackError(
                .integrity, "\(lockfile) lists other scripts of \(name) \(pack.version) than it has",
                subject: name, hint: .installPack(pack.source))
        }
        try store.restore(pack, named: name, content: content, for: lockfile)
    }

    private func fetch(
        _ pack: LockedPack, named name: String, in workspace: PackWorkspace
    ) async throws -> PackArchive {
        var source = try PackSource(of: pack)
        if let resolved = pack.resolved {
            // The registry gives the address again where it had a key that was not stored.
            if case .registry(let name, _, let registry) = source, !AddressSecrets.missing(in: resolved).isEmpty {
                source = .registry(name, wanted: pack.version, at: registry)
            } else {
                source = try PackSource(resolved)
            }
        }
        let archive = try await fetcher.fetch(source, in: workspace).archive
        guard archive.integrity.description == pack.integrity else {
            throw PackError(
                .integrity,
                "\(name) \(pack.version) has the digest \(archive.integrity.short), and \(lockfile) has "
                    + "\(pack.integrity.prefix(24))…: the content of \(source) has changed",
                subject: name,
                hint: .several(["make sure that the change is intended", .installPack(source.description)]))
        }
        return archive
    }

    /// Returns to the former version, which of the core pack may be the shipped one; returns the versions of both.
    package func rollBack(_ name: String) throws -> (former: String, current: String) {
        let lock = try store.lockfile(at: lockfile)
        let shipped = name == CorePack.name ? core.pack?.version.description : nil
        let current = lock.packs[name]
        guard let version = current?.version ?? shipped else { throw PackError.notInstalled(name, lock, lockfile) }
        guard let former = try store.former(of: name, in: lockfile) else {
            guard let shipped, let current else {
                throw PackError(
                    .notInstalled, "no version of \(name) before \(version)", hint: .installPack(name))
            }
            try store.setAside(current, named: name, in: lockfile)
            return (shipped, version)
        }
        try store.checkRevocation(of: former.integrity)
        var content: UnpackedPack?
        let workspace = try store.workspace()
        if store.condition(of: former, named: name) != .intact, let archive = store.archive(of: former, named: name) {
            content = try archive.unpack(into: "\(workspace.path)/pack")
        }
        try store.use(former, named: name, content: content, inPlaceOf: current, in: lockfile)
        return (former.version, version)
    }
}

/// Loads the providers of packs in the sandbox, to determine the permissions they request.
package enum ProviderInspection {
    /// The manifests of a pack's providers in a folder, in the order of its `package.json`; throws `PackError` for one that
    /// does not load.
    package static func manifests(
        of manifest: PackManifest, in folder: String, worker settings: WorkerSettings
    ) async throws -> [ProviderManifest] {
        let pool = WorkerPool(settings: settings)
        do {
            var manifests: [ProviderManifest] = []
            for (file, path) in zip(manifest.providerFiles(in: folder), manifest.providers) {
                manifests.append(try await self.manifest(of: file, at: path, in: pool))
            }
            await pool.close()
            return manifests
        } catch {
            await pool.close()
            throw error
        }
    }

    /// Providers as a lockfile has them.
    package static func locked(_ manifests: [ProviderManifest], of pack: PackManifest) -> [String: LockedProvider] {
        let entries = zip(manifests, pack.providers).map { manifest, path in
            (manifest.id.description, LockedProvider(file: path, permissions: ProviderPermissions(manifest)))
        }
        return Dictionary(entries) { first, _ in first }
    }

    private static func manifest(
        of file: ProviderFile, at path: String, in pool: WorkerPool
    ) async throws -> ProviderManifest {
        let manifest: ProviderManifest
        do {
            manifest = try await pool.load(try file.source(), as: file.path)
        } catch let error as ProviderError {
            throw PackError(.provider, error.description, subject: path, hint: error.hint, cause: error)
        }
        guard manifest.id == file.id else {
            throw PackError(
                .provider, "wrong id \"\(manifest.id)\" (expected \"\(file.id)\", the name of the file)",
                subject: path)
        }
        return manifest
    }
}
