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
}
