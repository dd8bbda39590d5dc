import ProviderModel
import ProviderRuntime

extension ImageEngine {
    /// Throws when a server is named and none of these providers runs on one of the user's choice: they would ask their
    /// own, and nobody would know.
    public func checkInstance(isTakenBy names: [String]) async throws {
        guard instance != nil else { return }
        let known = await providers.usable(of: names)
        // What is wrong with one that cannot be loaded is told when it is asked.
        guard known.count == names.count else { return }
        try await checkInstance(isTakenByAnyOf: known.map(\.manifest))
    }

    /// The same for the providers in files.
    package func checkInstance(isTakenByFiles paths: [String]) async throws {
        guard instance != nil else { return }
        var manifests: [ProviderManifest] = []
        for path in paths {
            // What is wrong with a file that cannot be loaded is told when its turn comes.
            guard let manifest = try? await check(file: path) else { return }
            manifests.append(manifest)
        }
        try await checkInstance(isTakenByAnyOf: manifests)
    }

    func checkInstance(isTakenByAnyOf manifests: [ProviderManifest]) async throws {
        guard let instance, !manifests.isEmpty, manifests.allSatisfy({ $0.instance == nil }) else { return }
        let others = await listProviders().filter { (try? $0.manifest.get().instance) != nil }.map(\.id.description)
        let names = manifests.map(\.id.description).joined(separator: " and ")
        let have = manifests.count == 1 ? "has only its" : "have only their"
        throw ProviderError(
            .unsupported, provider: "",
            message: "--instance names the server \(instance.origin), and \(names) \(have) own",
            hint: "leave --instance out, or ask a source that runs on many servers: "
                + (others.isEmpty ? "there is none yet" : others.joined(separator: ", ")))
    }
}
