import Glibc
import ProviderModel

/// A pack that a lockfile names, with its providers.
package struct InstalledPack: Hashable, Sendable {
    /// The pack's name.
    package let name: String
    /// Its version.
    package let version: String
    /// The lockfile that names it.
    package let lockfile: String
    /// Its folder.
    package let folder: String
    /// Its providers, each with its permissions.
    package let files: [ProviderID: ProviderFile]

    /// A pack as locked, which may not be there on this machine.
    package init(_ name: String, _ locked: LockedPack, lockfile: String, packFolder: String) {
        self.name = name
        self.version = locked.version
        self.lockfile = lockfile
        let folder = "\(packFolder)/\(locked.storePath(as: name))"
        self.folder = folder
        var files: [ProviderID: ProviderFile] = [:]
        for (text, provider) in locked.providers {
            guard let id = ProviderID(text) else { continue }
            let place = provider.file.split(separator: "/").dropLast().joined(separator: "/")
            files[id] = ProviderFile(
                id: id, folder: place.isEmpty ? folder : "\(folder)/\(place)",
                installed: InstalledProvider(
                    pack: name, version: locked.version, root: folder, permissions: provider.permissions,
                    scripts: locked.scripts))
        }
        self.files = files
    }

    /// Whether its folder is on this machine.
    package var isPresent: Bool { access(folder, R_OK | X_OK) == 0 }

    /// The packs of a lockfile, by name; none when there is no such file.
    package static func all(in lockfile: String, packFolder: String) throws(ProviderError) -> [InstalledPack] {
        guard let lock = try Lockfile(path: lockfile) else { return [] }
        return lock.packs.sorted { $0.key < $1.key }
            .map { InstalledPack($0.key, $0.value, lockfile: lockfile, packFolder: packFolder) }
    }
}

/// A provider in an installed pack, and the permissions that the user granted it.
///
/// The host enforces them whatever its file declares on a later run.
package struct InstalledProvider: Hashable, Sendable {
    /// The pack's name.
    package let pack: String
    /// The pack's version.
    package let version: String
    /// The pack's folder, which contains the provider's files.
    package let root: String
    /// The granted permissions.
    package let permissions: ProviderPermissions
    /// The digests of the pack's scripts, by path.
    let scripts: [String: ScriptDigest]

    /// Throws for a script that differs from the installed one.
    func check(_ bytes: [UInt8], of script: String) throws(ModuleNotFound) {
        guard let digest = scripts[script] else {
            throw ModuleNotFound("\(script) was added after the installation")
        }
        guard digest == ScriptDigest(of: bytes) else {
            throw ModuleNotFound("\(script) was changed after the installation")
        }
    }

    /// Throws for a provider whose manifest declares more than was granted.
    func check(_ manifest: ProviderManifest) throws(ProviderError) {
        let more = ProviderPermissions(manifest).subtracting(permissions).phrases
        guard !more.isEmpty else { return }
        throw ProviderError(
            .provider, provider: manifest.id.description,
            message:
                "not used: its file declares \(more.joined(separator: "; ")), which was not granted to \(pack) \(version) "
                + "when it was installed",
            hint: .several([.updatePack(pack), .removePack(pack)]))
    }
}
