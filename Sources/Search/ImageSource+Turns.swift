import ProviderModel

// Not beside the protocol: the worker holds that room too, and would carry the runtime of tasks for this call alone.
extension ImageSource {
    /// One page, asked for at once.
    public func page(of listing: Listing, for query: ProviderQuery, in turn: RequestPermit) async throws -> Page {
        try await page(of: listing, for: query)
    }
}
