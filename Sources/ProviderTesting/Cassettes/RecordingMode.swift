/// When a request is sent to the real service instead of being answered from a cassette.
package enum RecordingMode: String, Sendable, CaseIterable {
    /// While there is no cassette; one that exists is only replayed.
    case once
    /// For requests that the cassette has no answer to.
    case new
    /// Always: answers that were recorded before are replaced.
    case all
    /// Never.
    case none
}
