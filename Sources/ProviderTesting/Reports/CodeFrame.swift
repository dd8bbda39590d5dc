import ProviderModel

/// The lines around a place in a file, with a mark below the place.
package struct CodeFrame: Hashable, Sendable {
    /// One line of the frame.
    package struct Line: Hashable, Sendable {
        /// The line's number with its bar: ` 41 | `.
        package var gutter: String
        /// What stands there.
        package var text: String
        /// Whether this is the place's line, or the mark below it.
        package var isMarked: Bool
    }

    /// From above the place to below it.
    package private(set) var lines: [Line] = []

    /// The widest line that is shown whole; minified code would fill the screen.
    private static let widest = 160

    /// The frame of a place in a text; nil when the text has no such line.
    package init?(of location: SourceLocation, in text: String, around: Int = 2) {
        let all = text.split(separator: "\n", omittingEmptySubsequences: false)
        guard location.line >= 1, location.line <= all.count else { return nil }
        let first = max(1, location.line - around)
        let last = min(all.count, location.line + around)
        let width = String(last).count
        for number in first...last {
            let isPlace = number == location.line
            let shown = Self.shown(all[number - 1])
            let padding = String(repeating: " ", count: width - String(number).count)
            lines.append(Line(gutter: "\(isPlace ? ">" : " ") \(padding)\(number) | ", text: shown, isMarked: isPlace))
            if isPlace, location.column >= 1, location.column <= shown.count + 1 {
                let gutter = "  " + String(repeating: " ", count: width) + " | "
                lines.append(
                    Line(gutter: gutter, text: String(repeating: " ", count: location.column - 1) + "^", isMarked: true)
                )
            }
        }
    }

    private static func shown(_ line: Substring) -> String {
        let plain = line.map { $0 == "\t" || $0.unicodeScalars.allSatisfy({ $0.value < 0x20 }) ? " " : $0 }
        return plain.count > widest ? String(plain.prefix(widest)) + "…" : String(plain)
    }
}

extension SourceLocation {
    /// Where a text first stands in a file's text; nil where it does not.
    init?(of needle: String, in text: String, file: String) {
        guard !needle.isEmpty, let range = text.firstRange(of: needle) else { return nil }
        let before = text[..<range.lowerBound]
        let line = before.utf8.count { $0 == 0x0a } + 1
        let start = before.lastIndex(of: "\n").map { before.index(after: $0) } ?? before.startIndex
        self.init(file: file, line: line, column: before[start...].utf16.count + 1)
    }
}
