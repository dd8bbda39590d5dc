import ProviderModel

/// A wait before another attempt that is long enough to tell the user about.
package struct RetryNotice: Sendable, CustomStringConvertible {
    /// Waits up to this length are nobody's business.
    package static let threshold = Duration.seconds(2)

    /// Whose request waits.
    package let provider: ProviderID
    /// Where it goes, without secrets.
    package let url: WebURL
    /// How long it waits.
    package let wait: Duration
    /// What happened: `429 from https://pixabay.com`, or an error's message.
    package let reason: String

    /// `pixabay: waiting 30 s (429 from https://pixabay.com)`.
    package var description: String { "\(provider): waiting \(wait.components.seconds) s (\(reason))" }
}
