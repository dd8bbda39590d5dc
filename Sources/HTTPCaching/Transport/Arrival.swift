import HTTPTransport
import HTTPTypes

/// An answer that has just come, and when.
struct Arrival: Sendable {
    var answer: TransportResponse
    /// In seconds since 1970 (RFC 9111 §4.2.3, request_time).
    let requestedAt: Double
    /// In seconds since 1970 (RFC 9111 §4.2.3, response_time).
    let receivedAt: Double
    /// What took down the body on its way into the caller's sink; nil when the answer holds it.
    let recording: RecordingSink?
}
