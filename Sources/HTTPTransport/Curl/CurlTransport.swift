import CCurl
import CSystem
import Glibc
import Synchronization

/// The network, by libcurl on threads of its own.
///
/// Sends one request and gives its answer as it is: redirects, retries and what a provider may reach are the
/// business of the transports around it. Addresses that are not public are refused here, where they are known.
public final class CurlTransport: Transport {
    /// The first takes all that is kept in memory; what goes into a sink is shared by all.
    private let loops: [CurlLoop]
    /// How many transfers into sinks each has.
    private let loads: Mutex<[Int]>

    /// A transport; nothing is loaded before `warmUp()` or the first request.
    public init(settings: TransportSettings) {
        // Sinks hash and write as the bytes come, which may keep one processor busy.
        let count = sysconf(Int32(_SC_NPROCESSORS_ONLN)) > 1 ? 2 : 1
        var shared = settings
        shared.connectionsPerHost = (settings.connectionsPerHost + count - 1) / count
        let certificates = TrustedCertificates(settings.trust)
        loops = (0..<count).map { CurlLoop(settings: $0 == 0 ? settings : shared, certificates: certificates) }
        loads = Mutex([Int](repeating: 0, count: count))
        guard settings.connectionsPerHost > 8, !cfiles_has_room() else { return }
        // Not while requests wait for their sockets.
        _ = NativeThread.start { cfiles_make_room() }
    }

    deinit {
        for loop in loops { loop.stop() }
    }

    /// The threads, as executors for tasks whose work is mostly to send requests with sinks.
    ///
    /// Such a task must not wait in a system call for long: all transfers of its thread would wait with it.
    package var executors: [any TaskExecutor] { loops }

    /// Begins to load the library beside whatever else is being started.
    public func warmUp() { loops[0].start() }

    /// The same for a transport that is still to be made; what fails is told of by its first request.
    public static func loadLibrary() { LibraryThread.start() }

    /// Begins to load the library, and does something else on the same thread once that is done.
    package func warmUp(andThen next: @escaping @Sendable () -> Void) { loops[0].start(andThen: next) }

    /// Returns the answer, whatever its status.
    public nonisolated(nonsending) func send(_ request: TransportRequest) async throws -> TransportResponse {
        try Task.checkCancellation()
        guard request.sink != nil, loops.count > 1 else { return try await send(request, on: loops[0]) }
        let place = begin()
        defer { loads.withLock { $0[place] -= 1 } }
        return try await send(request, on: loops[place])
    }

    /// Chooses the thread for a transfer into a sink: the caller's own, or the one with the fewest.
    private func begin() -> Int {
        let current = loops.firstIndex(where: \.isCurrent)
        return loads.withLock { loads in
            let place = current ?? loads.indices.min { loads[$0] < loads[$1] } ?? 0
            loads[place] += 1
            return place
        }
    }

    private nonisolated(nonsending) func send(
        _ request: TransportRequest, on loop: CurlLoop
    ) async throws -> TransportResponse {
        loop.start()
        let ticket = TransferTicket()
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { answer in
                loop.submit(.begin(TransferOrder(request: request, ticket: ticket, answer: answer)))
            }
        } onCancel: {
            ticket.cancel()
            loop.submit(.cancel(ObjectIdentifier(ticket)))
        }
    }
}
