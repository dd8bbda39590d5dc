/// The places of wanted results, counted from 1 after all conditions: `5`, `2-5,8`, `20-`.
public struct ResultRange: Hashable, Sendable {
    private let parts: [ClosedRange<Int>]

    /// Reads places and spans of places; nil for any other text.
    ///
    /// - Parameter text: numbers and spans with commas between them; a span without an end goes on to the last result.
    public init?(_ text: String) {
        var parts: [ClosedRange<Int>] = []
        for part in text.split(separator: ",", omittingEmptySubsequences: false) {
            let ends = part.split(separator: "-", omittingEmptySubsequences: false).map(\.trimmingSpaces)
            guard ends.count <= 2, ends.contains(where: { !$0.isEmpty }),
                let first = ends[0].isEmpty ? 1 : Self.place(ends[0]),
                let last = ends.count == 1 ? first : ends[1].isEmpty ? Int.max : Self.place(ends[1]), first <= last
            else { return nil }
            parts.append(first...last)
        }
        self.parts = parts
    }

    /// The last place; nil where the range is open.
    public var last: Int? {
        let last = parts.map(\.upperBound).max() ?? 0
        return last == .max ? nil : last
    }

    /// The number of places; nil where the range is open.
    public var count: Int? { last.map { (1...$0).count(where: contains) } }

    /// Whether the result at a place, counted from 1, is wanted.
    ///
    /// - Parameter place: the place of a result.
    /// - Returns: whether one of the spans has it.
    public func contains(_ place: Int) -> Bool { parts.contains { $0.contains(place) } }

    private static func place(_ text: String) -> Int? {
        guard text.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let place = Int(text),
            (1...1_000_000_000).contains(place)
        else { return nil }
        return place
    }
}
