import Glibc
import Synchronization

/// HTTP over the network, by libcurl on threads of its own.
///
/// Sends one request and returns its response as it is: redirects, retries and what a provider may reach are the
/// business of the transports around it. Addresses outside the public internet are refused here, where they are known.
public final class CurlTransport: Transport {
    /// The first serves all responses that are kept in memory; those for sinks are spread over all.
    private let loops: [CurlLoop]
    /// The number of transfers into sinks of each loop.
    private let loads: Mutex<[Int]>

    /// A transport; its threads start with the first request.
    public init(settings: TransportSettings) {
        // Sinks hash and write as the bytes come, which may keep one processor busy.
        let count = sysconf(Int32(_SC_NPROCESSORS_ONLN)) > 1 ? 2 : 1
        var shared = settings
        shared.connectionsPerHost = (settings.connectionsPerHost + count - 1) / count
        loops = (0..<count).map { CurlLoop(settings: $0 == 0 ? settings : shared) }
        loads = Mutex([Int](repeating: 0, count: count))
    }

    deinit {
        for loop in loops { loop.stop() }
    }

    /// Returns the response, whatever its status.
    public nonisolated(nonsending) func send(_ request: TransportRequest) async throws -> TransportResponse {
        try Task.checkCancellation()
        guard request.sink != nil, loops.count > 1 else { return try await loops[0].send(request) }
        let index = chooseLoop()
        defer { loads.withLock { $0[index] -= 1 } }
        return try await loops[index].send(request)
    }

    /// Starts the thread for the first request, which loads libcurl beside whatever the caller does next.
    public func prewarm() { loops[0].start() }

    /// Closes all connections; transfers under way end as cancelled, and later requests are refused.
    public func shutdown() async {
        for loop in loops { await loop.shutdown() }
    }

    /// Chooses the loop with the fewest transfers.
    private func chooseLoop() -> Int {
        loads.withLock { loads in
            let index = loads.indices.min { loads[$0] < loads[$1] } ?? 0
            loads[index] += 1
            return index
        }
    }
}
