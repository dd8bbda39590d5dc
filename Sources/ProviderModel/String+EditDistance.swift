extension String {
    /// How many letters have to change to turn one into the other (Levenshtein).
    package func editDistance(to other: String) -> Int {
        let (left, right) = (Array(lowercased()), Array(other.lowercased()))
        guard left.count < 64, right.count < 64 else { return .max }
        var row = Array(0...right.count)
        for (i, character) in left.enumerated() {
            var diagonal = row[0]
            row[0] = i + 1
            for (j, candidate) in right.enumerated() {
                let cost = Swift.min(row[j + 1] + 1, row[j] + 1, diagonal + (character == candidate ? 0 : 1))
                diagonal = row[j + 1]
                row[j + 1] = cost
            }
        }
        return row[right.count]
    }

    /// The candidate that this was most likely meant to be: at most two letters differ, and not most of a short word, or
    /// it is the only one that begins so.
    package func nearest(among candidates: [String]) -> String? {
        let distances = candidates.map { (candidate: $0, distance: editDistance(to: $0)) }
        guard let best = distances.min(by: { $0.distance < $1.distance }) else { return nil }
        if best.distance <= 2, best.distance * 2 <= count { return best.candidate }
        let longer = candidates.filter { $0.hasPrefix(lowercased()) }
        return count >= 3 && longer.count == 1 ? longer[0] : nil
    }

    /// `; did you mean "loc"?` for a word near one of the candidates, else ` (expected …)` where that is known.
    package func suggestion(among candidates: [String], expected: String? = nil) -> String {
        nearest(among: candidates).map { "; did you mean \"\($0)\"?" } ?? expected.map { " (expected \($0))" } ?? ""
    }
}
