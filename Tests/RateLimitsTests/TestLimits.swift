import HTTPTransport
import HTTPTypes
import ProviderModel
import Synchronization
import TestSupport

@testable import RateLimits

extension Timestamp {
    /// 2026-11-21 07:00:00 UTC.
    static let start = Timestamp(seconds: 1_795_244_400)
}

extension Limits {
    static func of(_ rates: String..., reset: String? = nil, unit: ResetUnit? = nil) -> Limits {
        var limits = Limits()
        limits.rates = rates.map { Rate($0)! }
        limits.resetHeader = reset
        limits.resetUnit = unit
        return limits
    }
}

extension SlotRules {
    /// Rules with all the time in the world.
    static func of(_ rates: String..., until deadline: Timestamp = Timestamp(milliseconds: .max)) -> SlotRules {
        SlotRules(rates: rates.map { Limits.Rate($0)! }, deadline: deadline)
    }
}

extension Reservation {
    var id: ReservationID? {
        guard case .slot(let id, _, _) = self else { return nil }
        return id
    }

    var next: NextSlot {
        switch self {
        case .slot(_, let next, _), .tooLate(let next, _): next
        }
    }

    var wait: Duration {
        switch self {
        case .slot(_, _, let wait), .tooLate(_, let wait): wait
        }
    }
}

extension TransportRequest {
    static func of(
        _ provider: String = "tested",
        instance: String? = nil,
        credentials: Credentials? = nil
    ) -> TransportRequest {
        TransportRequest(
            url: try! WebURL("https://images.example/"),
            scope: RequestScope(
                provider: ProviderID(provider)!,
                hosts: [HostPattern("images.example")!],
                instance: instance.map { try! WebURL($0) }
            ),
            credentials: credentials
        )
    }
}

/// The most times within any span, both ends counted.
func mostWithin(_ span: Duration, of moments: [Timestamp]) -> Int {
    let sorted = moments.sorted()
    return sorted.indices.map { start in sorted[start...].prefix { $0 - sorted[start] <= span }.count }.max() ?? 0
}

/// A time of day that a test moves.
final class WallClock: Sendable {
    private let moment = Mutex(Timestamp.start)

    var now: Timestamp {
        get { moment.withLock { $0 } }
        set { moment.withLock { $0 = newValue } }
    }
}

/// Declares the limits of every provider but `free`.
struct DeclaringTransport: Transport {
    let base: any Transport
    let limits: Limits?

    func send(_ request: TransportRequest) async throws -> TransportResponse {
        var request = request
        request.limits = request.scope.provider.description == "free" ? nil : limits
        return try await base.send(request)
    }
}

/// Answers by a closure and remembers when it was asked.
final class AnsweringTransport: Transport {
    private let answer: @Sendable (Int) async throws -> (Int, HTTPFields)
    private let now: @Sendable () -> Timestamp
    private let seen = Mutex<[Timestamp]>([])

    init(
        now: @escaping @Sendable () -> Timestamp,
        _ answer: @escaping @Sendable (Int) async throws -> (Int, HTTPFields) = { _ in (200, [:]) }
    ) {
        self.now = now
        self.answer = answer
    }

    var moments: [Timestamp] { seen.withLock { $0 } }

    func send(_ request: TransportRequest) async throws -> TransportResponse {
        let moment = now()
        let count = seen.withLock { seen in
            seen.append(moment)
            return seen.count
        }
        let (status, headers) = try await answer(count)
        return TransportResponse(status: status, url: request.url, headers: headers)
    }
}

/// Texts that callbacks got.
final class RecordedTexts: Sendable {
    private let texts = Mutex<[String]>([])

    var all: [String] { texts.withLock { $0 } }

    func add(_ text: String) { texts.withLock { $0.append(text) } }
}
