import HTTPCaching
import HTTPTransport
import ProviderRuntime
import ProviderModel
import RateLimits
import Search

extension TransportStack {
    /// Goes through a search that asks nobody anything, and returns what it found.
    ///
    /// A host has nothing to do while its first worker starts. When the worker is ready, the code that talks to it, sends
    /// its request and reads its page is in memory, and what the runtime finds out when a type is first used it knows.
    @discardableResult
    static func rehearse() async -> [Item] {
        let limits = LimitStore(path: nil, now: { Timestamp(milliseconds: WallClock.millisecondsSince1970) })
        let cache = CachingTransport(
            over: turns(over: Nowhere(), limits, onNotice: { _ in }), store: nil,
            settings: CachingSettings(mode: .bypass))
        let transport = RedirectingTransport(over: cache)
        let search = MergedSearch(
            [("rehearsal", { try await ScriptProvider.rehearsal(over: transport) })], listing: .search,
            text: "rehearsal", options: SearchOptions())
        var items: [Item] = []
        for await event in search { if case .image(let item) = event { items.append(item) } }
        return items
    }

    /// Answers at once.
    private struct Nowhere: Transport {
        func send(_ request: TransportRequest) async throws -> TransportResponse {
            TransportResponse(status: 200, url: request.url, headers: [.contentType: "application/json"])
        }
    }
}
