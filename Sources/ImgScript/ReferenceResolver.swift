import ProviderModel
import ProviderRuntime

/// Finds the provider and the item that a reference stands for.
struct ReferenceResolver {
    let directory: ProviderDirectory
    let providers: LoadedProviders

    /// Resolves `provider:id`, a short form, or a page URL.
    func resolve(_ reference: String) async throws -> (ScriptProvider, Item) {
        // What is no URL is a page of no provider.
        if reference.isWebAddress { return try await resolve(page: (try? WebURL(reference))?.description ?? reference) }
        guard let colon = reference.firstIndex(of: ":"), colon > reference.startIndex, !reference.contains("://") else {
            throw ProviderError(
                .unsupported, provider: "",
                message: "\"\(reference)\" is not a valid reference (expected PROVIDER:ID or a page URL)")
        }
        let provider = try await providers.provider(named: String(reference[..<colon]))
        let id = String(reference[reference.index(after: colon)...])
        guard !id.isEmpty else {
            throw ProviderError(
                .unsupported, provider: provider.manifest.id.description,
                message: "\(reference.quoted) has no id (expected PROVIDER:ID)")
        }
        return (provider, provider.item(matching: id) ?? Item(provider: provider.manifest.id, id: id))
    }

    private func resolve(page: String) async throws -> (ScriptProvider, Item) {
        for entry in directory.entries() {
            // A provider that cannot be loaded matches nothing; it is reported when it is asked for by name.
            guard let provider = try? await providers.provider(named: entry.file.id.description),
                let item = provider.item(matching: page)
            else { continue }
            return (provider, item)
        }
        throw ProviderError(
            .notFound, provider: "", message: "no provider knows the page \(page.quoted)",
            hint: .several([.listProviders, "an image's own URL needs no provider"]))
    }
}
