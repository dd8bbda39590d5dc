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

/// The bounds of a provider that came in a pack: its pack's folder, and what the user granted.
///
/// The host holds a provider to them whatever its file says on a later run.
package struct PackGrant: Hashable, Sendable {
    /// The pack's name.
    package let pack: String
    /// The pack's version.
    package let version: String
    /// The pack's folder, which the provider's files lie in.
    package let root: String
    /// The places requests may go.
    package let hosts: [HostPattern]
    /// The places image bytes may come from.
    package let mediaHosts: [HostPattern]
    /// The kinds of credentials.
    package let credentials: [String]

    /// What a lockfile grants; a host that cannot be read grants nothing.
    init(_ grant: ProviderGrant, pack: String, version: String, root: String) {
        self.pack = pack
        self.version = version
        self.root = root
        hosts = grant.hosts.compactMap { HostPattern($0) }
        mediaHosts = grant.mediaHosts.compactMap { HostPattern($0) }
        credentials = grant.credentials
    }

    /// Refuses a provider that asks for more than was granted.
    func check(_ manifest: ProviderManifest) throws(ProviderError) {
        try check(manifest.hosts.filter { !hosts.contains($0) }.map(\.description), "requests to", of: manifest)
        try check(
            manifest.mediaHosts.filter { !mediaHosts.contains($0) }.map(\.description), "images from", of: manifest)
        try check(manifest.credentialKinds.filter { !credentials.contains($0) }, "credentials", of: manifest)
    }

    private func check(_ more: [String], _ what: String, of manifest: ProviderManifest) throws(ProviderError) {
        guard !more.isEmpty else { return }
        throw ProviderError(
            .provider, provider: manifest.id.description,
            message:
                "its file declares \(what) \(more.joined(separator: ", ")), which \(pack) \(version) was not granted "
                + "when it was installed, so it is not used",
            reason: .exceedsGrant(pack: pack))
    }
}

extension ProviderManifest {
    /// The kinds of credentials it asks for, by the words that lockfiles have: `query`, `header`, `session`.
    package var credentialKinds: [String] {
        var kinds: [String] = []
        for way in authentication {
            // What the provider's own login gives is no secret of the user's.
            let kind = way.secretNames.isEmpty ? "session" : way.placement.word
            if !kinds.contains(kind) { kinds.append(kind) }
        }
        return kinds
    }
}

extension AuthenticationMethod.Placement {
    fileprivate var word: String {
        switch self {
        case .query: "query"
        case .header: "header"
        case .cookie: "cookie"
        case .basic: "basic"
        case .oauth2: "oauth2"
        }
    }
}
