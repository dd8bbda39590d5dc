import ProviderModel

/// One thing about a provider's file that its author should know.
package struct ProviderRemark: Hashable, Sendable {
    /// How much it matters, worst first.
    package enum Severity: String, Sendable, CaseIterable {
        /// The file cannot be used, or does something else than it says.
        case error
        /// Something is most likely not meant so.
        case warning
        /// Something could be better.
        case hint
    }

    /// The rule's name: `unused-parameter`.
    package let rule: String
    package let severity: Severity
    /// Where, as far as that can be told.
    package let location: SourceLocation
    /// What was found, and what was expected.
    package let message: String
    /// What to do.
    package let fix: String

    init(_ rule: String, _ severity: Severity, at location: SourceLocation, _ message: String, fix: String) {
        self.rule = rule
        self.severity = severity
        self.location = location
        self.message = message
        self.fix = fix
    }
}

/// What is known of one provider's file after a look at it.
package struct CheckedProvider: Sendable {
    /// The file.
    package let path: String
    /// Its manifest; nil for a file that cannot be used.
    package let manifest: ProviderManifest?
    /// In the order of the file.
    package let remarks: [ProviderRemark]

    /// Whether the file can be used.
    package var isUsable: Bool { !remarks.contains { $0.severity == .error } }
}
