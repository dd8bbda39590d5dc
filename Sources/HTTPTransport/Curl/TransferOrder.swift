import Synchronization

/// A request on its way to the thread of libcurl, and the way back for its answer.
final class TransferOrder: Sendable {
    let request: TransportRequest
    /// The server that is asked, put together once.
    let origin: String
    let answer: CheckedContinuation<TransportResponse, any Error>
    let ticket: TransferTicket

    init(
        request: TransportRequest,
        ticket: TransferTicket,
        answer: CheckedContinuation<TransportResponse, any Error>
    ) {
        self.request = request
        origin = request.url.origin
        self.ticket = ticket
        self.answer = answer
    }
}

/// What a caller holds of a transfer: enough to call it off, even before it has begun.
final class TransferTicket: Sendable {
    private let cancelled = Atomic(false)

    var isCancelled: Bool { cancelled.load(ordering: .acquiring) }

    func cancel() { cancelled.store(true, ordering: .releasing) }
}
