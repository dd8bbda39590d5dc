import ProviderLoading
import ProviderModel
import ScriptWorker

/// Brings packs onto this machine: first everything that can be known about one, then, in one step, its use.
package struct PackInstaller: Sendable {
    private let store: PackStore
    private let fetcher: PackFetcher
    private let worker: WorkerSettings
    private let lockfile: String

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
    package func candidate(from source: PackSource, key: PublicKey? = nil) async throws -> PackCandidate {
        do { return try await look(at: source, key: key) } catch let error as PackError {
            throw error.subject == nil ? error.about(source.description) : error
        }
    }

    private func look(at source: PackSource, key: PublicKey?) async throws -> PackCandidate {
        let workspace = try store.workspace()
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

    /// What installing a candidate would do.
    package func plan(for candidate: PackCandidate) throws -> InstallPlan {
        InstallPlan(candidate, inPlaceOf: try store.lock(at: lockfile).packs[candidate.manifest.name.description])
    }

    /// Carries a plan out; whatever ends it leaves the former state.
    package func carryOut(_ plan: InstallPlan) throws {
        try store.use(
            plan.next, named: plan.name, content: plan.candidate.folder, inPlaceOf: plan.former, in: lockfile)
    }

    /// Fetches what a lockfile names, exactly, and fails where it is something else.
    package func restore(_ pack: LockedPack, named name: String) async throws {
        let workspace = try store.workspace()
        let source = try PackSource(pack.resolved ?? pack.source)
        let fetched = try await fetcher.fetch(source, in: workspace)
        let folder = "\(workspace.path)/pack"
        guard fetched.archive.integrity.description == pack.integrity else {
            throw PackError(
                .integrity,
                "\(name) \(pack.version) came as \(fetched.archive.integrity.description.prefix(24))…, "
                    + "and \(lockfile) has "
                    + "\(pack.integrity.prefix(24))…", subject: name,
                advice: "what lies at \(source) has changed; imgscript pack install shows what it is now")
        }
        var expectation = PackExpectation.anything
        expectation.name = try PackName(name)
        expectation.version = SemanticVersion(pack.version)
        let unpacked = try fetched.archive.unpack(into: folder, expecting: expectation)
        let permissions = try await PackPermissions.of(unpacked.manifest, in: folder, worker: worker)
        var found = pack
        found.providers = Dictionary(
            uniqueKeysWithValues: permissions.providers.map { ($0.id.description, ProviderGrant($0)) })
        let more = PermissionDifference(from: pack, to: found).added
        guard more.isEmpty else {
            throw PackError(
                .permission,
                "\(name) \(pack.version) asks for more than \(lockfile) grants: \(more.joined(separator: "; "))",
                subject: name, advice: "imgscript pack update \(name) --accept hosts grants it")
        }
        try store.restore(pack, named: name, content: folder, for: lockfile)
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
