import ProviderModel
import ProviderRuntime

/// Brings packs onto this machine: first everything that can be known about one, then, in one step, its use.
package struct PackInstaller: Sendable {
    let store: PackStore
    let fetcher: PackFetcher
    let worker: WorkerSettings
    let lockfile: String

    /// An installer that keeps packs in a store and their choice in a lockfile.
    package init(store: PackStore, fetcher: PackFetcher, worker: WorkerSettings, lockfile: String) {
        self.store = store
        self.fetcher = fetcher
        self.worker = worker
        self.lockfile = lockfile
    }

    /// Fetches a pack and finds out what it is and what it asks for; nothing is installed.
    ///
    /// `key` is the one the user says it has to be signed with; nil for the pinned one, or that of the pack itself.
    /// It can be installed from a workspace of the store alone, which is the usual one.
    package func candidate(
        from source: PackSource, key: PublicKey? = nil, in workspace: PackWorkspace? = nil
    ) async throws -> PackCandidate {
        let workspace = try workspace ?? store.workspace()
        do { return try await look(at: source, key: key, in: workspace) } catch let error as PackError {
            throw error.subject == nil ? error.about(source.description) : error
        }
    }

    private func look(
        at source: PackSource, key: PublicKey?, in workspace: PackWorkspace
    ) async throws -> PackCandidate {
        let fetched = try await fetcher.fetch(source, in: workspace)
        let folder = "\(workspace.path)/pack"
        let unpacked = try fetched.archive.unpack(into: folder, expecting: fetched.expectation)
        let pinned = try store.lock(at: lockfile).packs[unpacked.manifest.name.description]?.key
        let party = try SigningParty(
            of: fetched.archive, fetched.signature, named: key,
            pinned: try pinned.map { text throws(PackError) in try PublicKey(parsing: text) },
            stated: unpacked.manifest.publicKey)
        let permissions = try await PackPermissions.of(unpacked.manifest, in: folder, worker: worker)
        return PackCandidate(
            manifest: unpacked.manifest, permissions: permissions, folder: folder, files: unpacked.files,
            fetched: fetched,
            key: party.key, remarks: fetched.remarks + [party.remark].compactMap(\.self) + unpacked.manifest.remarks,
            workspace: workspace)
    }

    /// What installing a candidate would do; refuses one with a provider that another pack has.
    package func plan(for candidate: PackCandidate) throws -> InstallPlan {
        let lock = try store.lock(at: lockfile)
        let plan = InstallPlan(
            candidate, inPlaceOf: lock.packs[candidate.manifest.name.description],
            source: candidate.fetched.source.text(for: lockfile))
        try PackStore.checkProviders(of: plan.next, named: plan.name, in: lock)
        return plan
    }

    /// Carries a plan out; whatever ends it leaves the former state.
    package func carryOut(_ plan: InstallPlan) throws {
        let content = PackContent(folder: plan.candidate.folder, archive: plan.candidate.fetched.archive)
        try store.use(plan.next, named: plan.name, content: content, inPlaceOf: plan.former, in: lockfile)
    }
}

extension ProviderGrant {
    /// All that a provider asks for.
    init(_ permissions: ProviderPermissions) {
        self.init(
            file: permissions.file, hosts: permissions.hosts, mediaHosts: permissions.mediaHosts,
            credentials: permissions.credentials.map(\.rawValue))
    }
}
