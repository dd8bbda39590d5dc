import Synchronization

/// The network, by libcurl on a thread of its own.
///
/// Sends one request and gives its answer as it is: redirects, retries and what a provider may reach are the
/// business of the transports around it. Addresses that are not public are refused here, where they are known.
public final class CurlTransport: Transport {
    private let loop: CurlLoop

    /// A transport; nothing is loaded before `warmUp()` or the first request.
    public init(settings: TransportSettings) { loop = CurlLoop(settings: settings) }

    deinit { loop.stop() }

    /// Begins to load the library beside whatever else is being started.
    public func warmUp() { loop.start() }

    /// Returns the answer, whatever its status.
    public func send(_ request: TransportRequest) async throws -> TransportResponse {
        try Task.checkCancellation()
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
