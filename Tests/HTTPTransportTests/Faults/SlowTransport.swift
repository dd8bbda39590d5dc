import Synchronization
import TestSupport

@testable import HTTPTransport

/// Takes four seconds for each request, and remembers how long it was given.
final class SlowTransport: Transport {
    private let clock: SkippingClock
    private let answer: @Sendable (TransportRequest) throws -> TransportResponse
    private let seen = Mutex<[Duration?]>([])

    init(clock: SkippingClock, answer: @escaping @Sendable (TransportRequest) throws -> TransportResponse) {
        self.clock = clock
        self.answer = answer
    }

    var deadlines: [Duration?] { seen.withLock { $0 } }

    func send(_ request: TransportRequest) async throws -> TransportResponse {
        seen.withLock { $0.append(request.deadline) }
        clock.advance(by: .seconds(4))
        return try answer(request)
    }
}
