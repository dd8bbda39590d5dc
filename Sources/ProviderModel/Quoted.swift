extension String {
    /// The text in typographic quotes, cut to one readable line, for error messages.
    package var quoted: String {
        var shown = ""
        for scalar in unicodeScalars {
            guard shown.count < 80 else {
                shown += "…"
                break
            }
            shown.unicodeScalars.append(scalar.properties.generalCategory == .control ? "\u{FFFD}" : scalar)
        }
        return "“\(shown)”"
    }
}
