/// The tables of a database, as the steps that lead to them.
package struct LocalDatabaseSchema: Sendable {
    /// SQL that brings a database from version `n` (SQLite's `user_version`) to `n + 1`; never changed once published.
    package let steps: [String]

    /// The version after all steps.
    package var version: Int { steps.count }

    /// A schema.
    package init(steps: [String]) { self.steps = steps }
}
