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
    /// Its providers, each with what it was granted.
    package let files: [ProviderID: ProviderFile]

    /// A pack as locked, which may not be there on this machine.
    package init(_ name: String, _ locked: LockedPack, lockfile: String, packFolder: String) {
        self.name = name
        self.version = locked.version
        self.lockfile = lockfile
        let folder = "\(packFolder)/\(locked.storePath(as: name))"
        self.folder = folder
        var files: [ProviderID: ProviderFile] = [:]
        for (text, grant) in locked.providers {
            guard let id = ProviderID(text) else { continue }
            let place = grant.file.split(separator: "/").dropLast().joined(separator: "/")
            files[id] = ProviderFile(
                id: id, folder: place.isEmpty ? folder : "\(folder)/\(place)",
                grant: PackGrant(grant, pack: name, version: locked.version, root: folder))
        }
        self.files = files
    }

    /// Whether its folder is on this machine.
    package var isPresent: Bool { access(folder, R_OK | X_OK) == 0 }

    /// The packs of a lockfile, by name; none when there is no such file.
    package static func all(in lockfile: String, packFolder: String) throws(PackLockError) -> [InstalledPack] {
        guard let lock = try PackLock(path: lockfile) else { return [] }
        return lock.packs.sorted { $0.key < $1.key }
            .map { InstalledPack($0.key, $0.value, lockfile: lockfile, packFolder: packFolder) }
    }
}
