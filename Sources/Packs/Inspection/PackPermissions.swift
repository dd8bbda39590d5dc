import ProviderModel
import ProviderRuntime

/// What a pack asks for: where its providers send requests, where images come from, and which keys they want.
package struct PackPermissions: Hashable, Sendable {
    /// The version of the contract.
    package let contract: Int
    /// Its providers, by id.
    package let providers: [ProviderPermissions]

    /// Permissions as they were granted before.
    package init(contract: Int, providers: [ProviderPermissions]) {
        self.contract = contract
        self.providers = providers.sorted { $0.id < $1.id }
    }

    /// The hosts of all providers, sorted.
    package var hosts: [String] { Set(providers.flatMap(\.hosts)).sorted() }

    /// The media hosts of all providers, sorted.
    package var mediaHosts: [String] { Set(providers.flatMap(\.mediaHosts)).sorted() }

    /// Evaluates each provider of a pack in the sandbox and reads what it says.
    ///
    /// Throws `PackError` for a provider that does not load.
    package static func of(
        _ manifest: PackManifest, in folder: String, worker settings: WorkerSettings
    ) async throws -> PackPermissions {
        let pool = WorkerPool(settings: settings)
        do {
            var providers: [ProviderPermissions] = []
            for (file, path) in zip(manifest.providerFiles(in: folder), manifest.providers) {
                providers.append(try await permissions(of: file, at: path, in: pool))
            }
            await pool.close()
            return PackPermissions(contract: manifest.contract, providers: providers)
        } catch {
            await pool.close()
            throw error
        }
    }

    private static func permissions(
        of file: ProviderFile, at path: String, in pool: WorkerPool
    ) async throws -> ProviderPermissions {
        let manifest: ProviderManifest
        do {
            manifest = try await pool.load(try file.source(), as: file.path)
        } catch let error as ProviderError {
            throw PackError(.provider, error.description, subject: path, hint: error.hint, cause: error)
        }
        guard manifest.id == file.id else {
            throw PackError(
                .provider,
                "expected the id “\(file.id)”, as the file is named, found “\(manifest.id)”",
                subject: path)
        }
        return ProviderPermissions(manifest, file: path)
    }
}

/// What one provider of a pack asks for.
package struct ProviderPermissions: Hashable, Sendable {
    /// The name people type.
    package var id: ProviderID
    /// The name people read.
    package var name: String
    /// The file's own version.
    package var version: String
    /// The file, relative to the pack's folder.
    package var file: String
    /// Where requests, and keys, may go, as the provider writes it.
    package var hosts: [String]
    /// Where image bytes may come from.
    package var mediaHosts: [String]
    /// The kinds of secrets it wants, in order of preference; empty for none.
    package var credentials: [CredentialKind]
    /// Whether nothing works without one.
    package var needsKey: Bool
    /// Whether it runs on any server the user names.
    package var takesAnyServer: Bool

    /// What a manifest asks for.
    package init(_ manifest: ProviderManifest, file: String) {
        id = manifest.id
        name = manifest.name
        version = manifest.version
        self.file = file
        hosts = manifest.hosts.map(\.description)
        mediaHosts = manifest.mediaHosts.map(\.description)
        var kinds: [CredentialKind] = []
        for kind in manifest.authentication.map(CredentialKind.init) where !kinds.contains(kind) { kinds.append(kind) }
        credentials = kinds
        needsKey = manifest.needsKey
        takesAnyServer = manifest.instance != nil
    }
}

/// A way in which secrets are sent.
package enum CredentialKind: String, Hashable, Sendable, CaseIterable {
    case query
    case header
    case cookie
    case basic
    case oauth2
    /// What the provider's own login gives; no secret of the user's is asked for.
    case session

    /// The kind of a way.
    package init(_ way: AuthenticationMethod) {
        if way.secretNames.isEmpty {
            self = .session
            return
        }
        self =
            switch way.placement {
            case .query: .query
            case .header: .header
            case .cookie: .cookie
            case .basic: .basic
            case .oauth2: .oauth2
            }
    }

    /// The kind as people read it.
    package var words: String {
        switch self {
        case .query: "a key in the address"
        case .header: "a key in a header"
        case .cookie: "a cookie"
        case .basic: "a user name and a password"
        case .oauth2: "an OAuth client and its secret"
        case .session: "a guest session"
        }
    }
}
