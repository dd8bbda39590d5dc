import ProviderModel

/// A wait for a limit that is long enough to tell the user about.
package struct RateNotice: Hashable, Sendable, CustomStringConvertible {
    /// Waits up to this length are nobody's business.
    package static let threshold = Duration.seconds(2)

    /// Whose requests wait.
    package let provider: ProviderID
    /// How long.
    package let wait: Duration
    /// What for: `limit of 100 requests in 60 s`.
    package let reason: String

    /// `pixabay: waiting 30 s (limit of 100 requests in 60 s)`.
    package var description: String { "\(provider): waiting \(wait.inWords) (\(reason))" }
}
