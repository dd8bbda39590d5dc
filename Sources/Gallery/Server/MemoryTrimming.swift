import CSystemCalls
import ServiceLifecycle

/// Gives memory back to the system once nothing is under way: the C library keeps what is free, after 200 searches side by
/// side 80 MB of 165.
struct MemoryTrimming: Service {
    let requests: ConcurrencyLimit
    let searches: ConcurrencyLimit

    private static let interval = Duration.seconds(5)

    func run() async throws {
        let (requests, searches) = (requests, searches)
        // Its cancellation alone ends it.
        try? await cancelWhenGracefulShutdown {
            var trimmed = 0
            while true {
                try await Task.sleep(for: Self.interval)
                let total = requests.total
                guard total != trimmed, requests.count == 0, searches.count == 0 else { continue }
                malloc_trim(0)
                trimmed = total
            }
        }
    }
}
