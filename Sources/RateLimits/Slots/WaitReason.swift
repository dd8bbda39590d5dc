import ProviderModel

/// What keeps a request from going at once.
package enum WaitReason: Hashable, Sendable, CustomStringConvertible {
    /// A rate the provider declares.
    case rate(Limits.Rate)
    /// The server refused a request and wants a pause.
    case refusal
    /// The server said that nothing remains until its window ends.
    case quota
    /// Others came first.
    case queue

    /// `limit of 100 requests in 60 s`.
    package var description: String {
        switch self {
        case .rate(let rate): "limit of \(rate.sentence)"
        case .refusal: "the server asked for a pause"
        case .quota: "the server's own limit is used up"
        case .queue: "other requests are first"
        }
    }
}
