extension Duration {
    /// For display, rounded up: `60 s`, `12 min`, `1 h`, `5 h 12 min`, `1 day`, `2 days 3 h`.
    package var inWords: String {
        let seconds = components.seconds + (components.attoseconds > 0 ? 1 : 0)
        guard seconds > 120 else { return "\(max(0, seconds)) s" }
        let minutes = (seconds + 59) / 60
        if minutes < 60 { return "\(minutes) min" }
        if minutes < 1_440 { return Self.pair("\(minutes / 60) h", minutes % 60, "min") }
        let hours = (minutes + 59) / 60
        return Self.pair(hours / 24 == 1 ? "1 day" : "\(hours / 24) days", hours % 24, "h")
    }

    private static func pair(_ large: String, _ rest: Int64, _ unit: String) -> String {
        rest == 0 ? large : "\(large) \(rest) \(unit)"
    }
}
