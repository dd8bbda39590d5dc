import HTTPTransport
import HTTPTypes
import ProviderModel

/// How long a response may be used without asking the server (RFC 9111 §4.2).
struct Freshness: Hashable, Sendable {
    /// §4.2.1: in seconds, counted in the response's age.
    let lifetime: Double
    /// Whether the response itself says how long (§4.2.1), and not the heuristic of §4.2.2.
    let isExplicit: Bool

    /// What the heuristic takes of the time since the last change (§4.2.2).
    static let heuristicFraction = 0.1
    /// The most the heuristic gives: a week.
    static let heuristicLimit = 7 * 86_400.0

    /// The lifetime of a response received at this time, in seconds since 1970.
    init(status: Int, fields: HTTPFields, receivedAt: Double) {
        let directives = ResponseDirectives(fields)
        let date = Age.date(fields, receivedAt: receivedAt)
        switch directives.maxAge {
        case .seconds(let seconds): (lifetime, isExplicit) = (Double(seconds), true)
        // §4.2.1: caches are encouraged to take unreadable freshness for stale.
        case .invalid: (lifetime, isExplicit) = (0, true)
        case .absent:
            if let expires = fields[values: .expires].first {
                // §5.3: what is no date, above all "0", is a time in the past.
                let end = DateTime(http: expires, now: DateTime(secondsSince1970: Int(receivedAt))).map {
                    Double($0.secondsSince1970)
                }
                (lifetime, isExplicit) = (max(0, (end ?? date) - date), true)
            } else {
                let isAllowed = directives.isPublic || StatusCodes.isHeuristicallyCacheable(status)
                (lifetime, isExplicit) = (isAllowed ? Self.heuristic(fields, date: date) : 0, false)
            }
        }
    }

    /// §4.2.2.
    private static func heuristic(_ fields: HTTPFields, date: Double) -> Double {
        guard let text = fields[.lastModified],
            let changed = DateTime(http: text, now: DateTime(secondsSince1970: Int(date)))?.secondsSince1970
        else { return 0 }
        return min(max(0, date - Double(changed)) * heuristicFraction, heuristicLimit)
    }
}

/// How old a response is (RFC 9111 §4.2.3).
struct Age: Hashable, Sendable {
    /// §4.2.3: its age when it arrived, in seconds.
    let correctedInitialAge: Double
    private let receivedAt: Double

    /// The age of a response asked for and received at these times, in seconds since 1970.
    init(_ fields: HTTPFields, requestedAt: Double, receivedAt: Double) {
        self.receivedAt = receivedAt
        let date = Self.date(fields, receivedAt: receivedAt)
        // Dates have whole seconds; a fraction that only our clock has is no age.
        let apparentAge = max(0, receivedAt.rounded(.down) - date)
        let responseDelay = max(0, receivedAt - requestedAt)
        correctedInitialAge = max(apparentAge, Double(Self.value(fields)) + responseDelay)
    }

    /// §4.2.3: the age at a time; a clock that was set back adds nothing.
    func current(at now: Double) -> Double { correctedInitialAge + residentTime(at: now) }

    /// §4.2.3: how long the response has been here.
    func residentTime(at now: Double) -> Double { max(0, now - receivedAt) }

    /// `Date`, or when the response came where that cannot be read.
    static func date(_ fields: HTTPFields, receivedAt: Double) -> Double {
        let text = fields[values: .date].first ?? ""
        return DateTime(http: text, now: DateTime(secondsSince1970: Int(receivedAt))).map {
            Double($0.secondsSince1970)
        } ?? receivedAt
    }

    /// RFC 9111 §5.1: the first member counts; what is no number is ignored.
    private static func value(_ fields: HTTPFields) -> Int {
        guard let name = HTTPField.Name("age"), let first = FieldList.members(of: fields[values: name]).first else {
            return 0
        }
        return DeltaSeconds(first).value ?? 0
    }
}
