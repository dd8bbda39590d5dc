extension String {
    /// The path of a name in this folder; `/` ends in a slash already.
    package func path(to name: String) -> String { hasSuffix("/") ? self + name : "\(self)/\(name)" }
}
