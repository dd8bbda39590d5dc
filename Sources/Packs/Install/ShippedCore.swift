import ProviderModel
import ProviderRuntime

/// The core pack as it ships with the program, against which newer versions of it are reviewed.
package struct ShippedCore: Sendable {
    /// The shipped copy; nil where none is installed with the program.
    package let pack: CorePack?
    /// The key that newer versions have to be signed with; nil for a program that was built without one.
    package let key: PublicKey?

    /// The copy in the folders that ship with the program.
    package init(in folders: [String], key: PublicKey?) {
        pack = CorePack(in: folders)
        self.key = key
    }

    /// The shipped copy as a lockfile would have it; nil where an installed version is newer.
    func locked(
        unlessOlderThan installed: LockedPack?, _ next: UnpackedPack, _ manifests: [ProviderManifest],
        _ worker: WorkerSettings
    ) async throws -> LockedPack? {
        guard let pack else { return nil }
        if let installed = installed.flatMap({ SemanticVersion($0.version) }), installed > pack.version { return nil }
        var scripts: [String: ScriptDigest] = [:]
        for path in try FileSystem.files(below: pack.folder) where path.hasSuffix(".js") {
            let bytes = try FileSystem.bytes(at: "\(pack.folder)/\(path)", limit: 1 << 20)
            scripts[path] = ScriptDigest(of: bytes)
        }
        let manifest = try PackManifest.read(folder: pack.folder)
        return LockedPack(
            version: pack.version.description, source: "file:\(pack.folder)", integrity: "",
            contract: manifest.contract, key: key?.description,
            providers: try await providers(of: manifest, scripts, next, manifests, worker), scripts: scripts)
    }

    /// The shipped providers; the same code asks for the same, so that only changed files are loaded.
    private func providers(
        of manifest: PackManifest, _ scripts: [String: ScriptDigest], _ next: UnpackedPack,
        _ manifests: [ProviderManifest], _ worker: WorkerSettings
    ) async throws -> [String: LockedProvider] {
        guard let folder = pack?.folder else { return [:] }
        let changed = ScriptChanges(from: scripts, to: next.scripts, in: next.folder)
            .changed(of: next.manifest.providers)
        let unchanged = ProviderInspection.locked(manifests, of: next.manifest)
            .filter { !changed.contains($0.value.file) }
        let others = manifest.loading { path in !unchanged.values.contains { $0.file == path } }
        let loaded = try await ProviderInspection.manifests(of: others, in: folder, worker: worker)
        return unchanged.merging(ProviderInspection.locked(loaded, of: others)) { first, _ in first }
    }
}
