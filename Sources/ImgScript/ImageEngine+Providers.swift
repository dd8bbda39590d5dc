import ProviderModel
import ProviderRuntime
import Search

/// A provider as a list shows it.
public struct ProviderListing: Sendable {
    /// Its id.
    public let id: ProviderID
    /// Its file.
    public let path: String
    /// The pack it came in, with its version; nil for a file that came otherwise.
    public let pack: String?
    /// Whether it ships with the program.
    public let isShipped: Bool
    /// Files of the same id in folders further away, which are not used.
    public let shadowed: [String]
    /// What it says about itself, or why it cannot be used.
    public let manifest: Result<ProviderManifest, any Error>
}

extension ImageEngine {
    /// Returns every provider that can be found, by id, with what is wrong with it where it cannot be used.
    public func listProviders() async -> [ProviderListing] {
        let entries = directory.entries()
        let providers = providers
        return await withTaskGroup(of: (Int, ProviderListing).self) { group in
            for (index, entry) in entries.enumerated() {
                group.addTask { (index, await providers.listing(of: entry)) }
            }
            return await group.reduce(into: []) { $0.append($1) }.sorted { $0.0 < $1.0 }.map(\.1)
        }
    }

    /// Returns files that lie where providers do and are never used, as their names are no ids.
    public func misnamedFiles() -> [String] { directory.misnamed() }

    /// Returns what a provider says about itself.
    public func manifest(of name: String) async throws -> ProviderManifest {
        try await providers.provider(named: name).manifest
    }

    /// Returns what writes the attributions of a provider's items.
    public func attributionWriter(for provider: ProviderID) async throws -> AttributionWriter {
        let provider = try await providers.provider(named: provider.description)
        return AttributionWriter(
            DownloadSource(
                provider.manifest, instance: provider.server, credentials: try await provider.fileCredentials()))
    }

    /// Evaluates and checks a provider's file wherever it lies.
    public func check(file path: String) async throws -> ProviderManifest {
        try await providers.provider(at: path).manifest
    }

    /// The provider in a file, evaluated anew.
    package func reloadedProvider(at path: String) async throws -> ScriptProvider {
        try await providers.reloadedProvider(at: path)
    }

    /// A listing of one provider, with everything that happens.
    package func events(
        of listing: Listing, from provider: ScriptProvider, _ options: SearchOptions
    ) -> MergedSearch {
        let open: @Sendable () async throws -> any ImageSource = { provider }
        return MergedSearch(
            [(provider.manifest.id.description, open)], listing: listing,
            options: settings.answers.adjusting(options))
    }
}

// MARK: The server of software that runs on many

extension ImageEngine {
    /// Throws when a server is named and none of these providers runs on one of the user's choice: they would ask their
    /// own, unnoticed.
    public func checkInstance(isTakenBy names: [String]) async throws {
        guard instance != nil else { return }
        let known = await providers.usable(of: names)
        // What is wrong with one that cannot be loaded is reported when it is asked.
        guard known.count == names.count else { return }
        try await checkInstance(isTakenByAnyOf: known.map(\.manifest))
    }

    /// The same for the providers in files.
    package func checkInstance(isTakenByFiles paths: [String]) async throws {
        guard instance != nil else { return }
        var manifests: [ProviderManifest] = []
        for path in paths {
            // What is wrong with a file that cannot be loaded is reported when it is used.
            guard let manifest = try? await check(file: path) else { return }
            manifests.append(manifest)
        }
        try await checkInstance(isTakenByAnyOf: manifests)
    }

    func checkInstance(isTakenByAnyOf manifests: [ProviderManifest]) async throws {
        guard let instance, !manifests.isEmpty, manifests.allSatisfy({ $0.instance == nil }) else { return }
        let others = await listProviders().filter { (try? $0.manifest.get().instance) != nil }.map(\.id.description)
        let names = manifests.map(\.id.description).joined(separator: " and ")
        let have = manifests.count == 1 ? "has a fixed server" : "have fixed servers"
        throw ProviderError(
            .unsupported, provider: "",
            message: "the server \(instance.origin) cannot be used: \(names) \(have)",
            hint: others.isEmpty
                ? .omitInstance
                : .several([.omitInstance, "providers for many servers: \(others.joined(separator: ", "))"])
        )
    }
}
