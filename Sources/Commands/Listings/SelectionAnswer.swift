/// Which of numbered rows were chosen, as typed at a prompt.
struct SelectionAnswer: Hashable {
    /// Why an answer is none.
    struct Fault: Error, Hashable, CustomStringConvertible {
        let description: String
    }

    /// What an answer may be.
    static func expected(of count: Int) -> String {
        count == 1 ? "1, all or none" : "numbers from 1 to \(count) such as \(example(of: count)), all or none"
    }

    /// An answer for so many rows.
    static func example(of count: Int) -> String { count == 1 ? "1" : count < 5 ? "1,2" : "1,3-5" }

    /// The rows' places from 0, each once, in the order of the rows.
    let places: [Int]

    /// Reads an answer about so many rows; none at all is no row.
    init(_ text: String, of count: Int) throws(Fault) {
        let parts = text.lowercased().split { $0 == "," || $0.isWhitespace }.map(String.init)
        switch parts {
        case [], ["none"], ["n"]: places = []
        case ["all"], ["a"]: places = Array(0..<count)
        default:
            var chosen: Set<Int> = []
            for part in parts { chosen.formUnion(try Self.range(part, of: count)) }
            places = chosen.map { $0 - 1 }.sorted()
        }
    }

    /// `3`, `3-5`, `3-` and `-5`.
    private static func range(_ text: String, of count: Int) throws(Fault) -> ClosedRange<Int> {
        let ends = text.split(separator: "-", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        let isRange = ends.count == 2 && ends != ["", ""]
        let first = isRange && ends[0].isEmpty ? 1 : number(ends[0])
        let last = !isRange ? first : ends[1].isEmpty ? count : number(ends[1])
        guard let first, let last else {
            throw Fault(description: "found \(text.quoted) (expected \(expected(of: count)))")
        }
        guard (1...count).contains(first), (1...count).contains(last) else {
            let wrong = (1...count).contains(first) ? last : first
            throw Fault(description: "there is no row \(wrong) (expected \(expected(of: count)))")
        }
        guard first <= last else {
            throw Fault(description: "\(text.quoted) runs backwards (expected \(last)-\(first))")
        }
        return first...last
    }

    private static func number(_ text: String) -> Int? {
        text.utf8.allSatisfy { (0x30...0x39).contains($0) } ? Int(text) : nil
    }
}
