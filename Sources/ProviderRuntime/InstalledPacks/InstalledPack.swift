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
    /// Why an index has revoked it; nil for most.
    package let revocation: RevokedPacks.Entry?
    private let contract: Int
    private let scripts: [String: ScriptDigest]

    /// A pack as locked, which may not be there on this machine.
    package init(
        _ name: String, _ locked: LockedPack, lockfile: String, packFolder: String,
        revoked: RevokedPacks = RevokedPacks()
    ) {
        self.name = name
        self.version = locked.version
        contract = locked.contract
        scripts = locked.scripts
        revocation = revoked[locked.integrity]
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
                    scripts: locked.scripts, revocation: revocation))
        }
        self.files = files
    }

    /// Whether it is the pack of the sources that ship with the program.
    package var isCore: Bool { name == CorePack.name }

    /// Whether its folder is on this machine.
    package var isPresent: Bool { access(folder, R_OK | X_OK) == 0 }

    /// The first check that the pack fails on this machine; nil where all of it is as it was installed.
    package var fault: String? {
        if let revocation { return revocation.text }
        if contract > ProviderManifest.contract {
            return "it is written for contract \(contract) (expected \(ProviderManifest.contract) at most)"
        }
        guard isPresent else { return "its files are missing" }
        for (path, digest) in scripts.sorted(by: { $0.key < $1.key }) {
            // An unreadable script is a changed one.
            guard let bytes = try? ProviderFile.read(folder.path(to: path)), digest == ScriptDigest(of: bytes) else {
                return "\(path) was changed after the installation"
            }
        }
        return nil
    }

    /// The packs of a lockfile, by name; none when there is no such file.
    package static func all(in lockfile: String, packFolder: String) throws(ProviderError) -> [InstalledPack] {
        guard let lock = try Lockfile(path: lockfile) else { return [] }
        let revoked = RevokedPacks(in: packFolder)
        return lock.packs.sorted { $0.key < $1.key }.map {
            InstalledPack($0.key, $0.value, lockfile: lockfile, packFolder: packFolder, revoked: revoked)
        }
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
    /// Why an index has revoked the pack; nil for most.
    package let revocation: RevokedPacks.Entry?

    /// Whether the pack is that of the sources that ship with the program.
    package var isCore: Bool { pack == CorePack.name }

    /// Throws for a pack that was revoked.
    func checkRevocation(of provider: ProviderID) throws(ProviderError) {
        guard let revocation else { return }
        throw ProviderError(
            .provider, provider: provider.description, message: "stopped: \(pack) \(version) was \(revocation.text)",
            hint: revocation.hint)
    }

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
