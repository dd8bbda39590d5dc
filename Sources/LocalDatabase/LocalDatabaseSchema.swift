/// The tables of a database, as the steps that lead to them.
package struct LocalDatabaseSchema: Sendable {
    /// SQL that brings a database from version `n` (SQLite's `user_version`) to `n + 1`; never changed once published.
    package let steps: [String]
    /// SQL that makes a new database as it is after all steps, where going through them takes longer.
    package let whole: String?

    /// The version after all steps.
    package var version: Int { steps.count }

    /// A schema.
    package init(steps: [String], whole: String? = nil) {
        self.steps = steps
        self.whole = whole
    }

    /// What is left to do for a database of a version.
    func remainder(from version: Int) -> [String] {
        if version == 0, let whole { [whole] } else { Array(steps.dropFirst(version)) }
    }
}
