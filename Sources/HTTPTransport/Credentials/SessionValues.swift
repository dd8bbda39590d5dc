/// What a provider's `session` operation gave: the values of `{session.NAME}` in its authentication templates.
package struct SessionValues: Hashable, Sendable {
    /// Values by name, without the `session.` prefix.
    package var values: [String: String]

    /// Values by name.
    package init(_ values: [String: String] = [:]) { self.values = values }

    /// The value of a placeholder such as `session.token`; nil for other placeholders and unknown names.
    package func value(of placeholder: String) -> String? {
        guard placeholder.hasPrefix("session.") else { return nil }
        return values[String(placeholder.dropFirst("session.".count))]
    }
}
