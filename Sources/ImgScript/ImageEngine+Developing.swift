import ProviderModel
import ProviderRuntime
import Search

extension ImageEngine {
    /// The provider in a file, evaluated anew whatever was known of it.
    package func reloadedProvider(at path: String) async throws -> ScriptProvider {
        try await providers.reloadedProvider(at: path)
    }

    /// A listing of one provider with everything that happens.
    package func events(
        _ listing: Listing, text: String, of provider: ScriptProvider, options: SearchOptions
    ) -> MergedSearch {
        let source: (String, @Sendable () async throws -> any ImageSource) = (
            provider.manifest.id.description, { provider }
        )
        return MergedSearch(
            [source], listing: listing, text: text, options: settings.answers.adjusting(options), crawl: nil)
    }
}
