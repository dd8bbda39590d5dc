import CCurl
import Glibc
import Synchronization

/// An HTTP transport over the network, by libcurl on its own threads.
///
/// It sends single requests and returns responses unchanged: redirects, retries and the hosts of a provider are checked by
/// the transports around it. Addresses outside the public internet are refused here, where they are resolved.
public final class CurlTransport: Transport {
    /// The first loop receives responses into memory; responses for sinks use all loops.
    private let loops: [CurlLoop]
    /// The number of transfers into sinks of each loop.
    private let loads: Mutex<[Int]>

    /// Creates a transport; its threads start with the first request.
    ///
    /// - Parameter settings: timeouts, limits, proxies and certificates.
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

    /// Sends one request, and follows no redirects.
    ///
    /// - Parameter request: the request, whose credentials are added here.
    /// - Returns: the response, whatever its status.
    /// - Throws: ``TransportError``, such as `connection`, `timeout`, `tls`, `privateAddress`, `tooLarge`, or `unavailable` after
    ///   ``shutdown()``; `CancellationError` when the task is cancelled.
    public nonisolated(nonsending) func send(_ request: TransportRequest) async throws -> TransportResponse {
        try Task.checkCancellation()
        guard request.sink != nil, loops.count > 1 else { return try await loops[0].send(request) }
        // The loop with the fewest transfers.
        let index = loads.withLock { loads in
            let index = loads.indices.min { loads[$0] < loads[$1] } ?? 0
            loads[index] += 1
            return index
        }
        defer { loads.withLock { $0[index] -= 1 } }
        return try await loops[index].send(request)
    }

    /// Starts the thread for the first request, which loads libcurl beside whatever the caller does next.
    public func prewarm() { loops[0].start() }

    /// Closes all connections; transfers under way end as cancelled, and later requests are refused.
    public func shutdown() async {
        for loop in loops { await loop.shutdown() }
    }
}

/// The library that requests are sent with.
package enum CurlLibrary {
    /// Its version and those of the libraries behind it: `libcurl/7.88.1 OpenSSL/3.0.17 zlib/1.2.13`.
    package static var version: String { ccurl_version().map { String(cString: $0) } ?? "libcurl" }
}
