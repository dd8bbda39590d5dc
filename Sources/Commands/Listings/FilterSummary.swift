import ImgScript

/// How many images filters left out, and which conditions the sources checked themselves.
struct FilterSummary {
    private(set) var filtered = 0
    private var sources: [(conditions: [ParameterDescription.Condition], providers: [String])] = []

    /// Adds what came of one provider.
    mutating func add(_ part: MergedSearch.Summary) {
        filtered += part.filtered
        guard !part.conditions.isEmpty else { return }
        if let index = sources.firstIndex(where: { $0.conditions == part.conditions }) {
            sources[index].providers.append(part.provider)
        } else {
            sources.append((part.conditions, [part.provider]))
        }
    }

    /// `--since and --until were sent to bluesky; all other conditions are checked here`; nil where none was sent.
    var note: String? {
        guard !sources.isEmpty else { return nil }
        let parts = sources.map { source in
            let options = source.conditions.map { "--\($0.rawValue)" }.joined(separator: " and ")
            return "\(options) sent to \(source.providers.joined(separator: ", "))"
        }
        return parts.joined(separator: "; ") + "; other conditions are checked here"
    }
}
