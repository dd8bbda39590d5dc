/// What an update may only do when the user says so: `--accept hosts`.
package enum Acceptance: String, CaseIterable, Sendable {
    /// Another signing key than the one that was pinned.
    case key
    /// No signature where there was one.
    case unsigned
    /// A lower version.
    case downgrade
    /// More hosts, media hosts or kinds of credentials.
    case hosts
    /// Other content under the same version.
    case content
    /// The pack's own recordings do not pass.
    case tests
}

/// Why a version may not take the place of the one that is installed.
package struct Objection: Hashable, Sendable {
    /// What the user would have to accept.
    package let acceptance: Acceptance
    /// What was found, as a sentence.
    package let reason: String

    /// An objection.
    package init(_ acceptance: Acceptance, _ reason: String) {
        self.acceptance = acceptance
        self.reason = reason
    }
}
