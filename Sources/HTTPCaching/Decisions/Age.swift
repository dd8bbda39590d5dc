import HTTPTransport
import HTTPTypes
import ProviderModel

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
        return DateTime(http: text, now: DateTime(secondsSince1970: Int(receivedAt))).map { Double($0.secondsSince1970) } ?? receivedAt
    }

    /// RFC 9111 §5.1: the first member counts; what is no number is ignored.
    private static func value(_ fields: HTTPFields) -> Int {
        guard let name = HTTPField.Name("age"), let first = FieldList.members(of: fields[values: name]).first else {
            return 0
        }
        return DeltaSeconds(first).value ?? 0
    }
}
