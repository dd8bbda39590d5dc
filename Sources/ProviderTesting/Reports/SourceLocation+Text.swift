import ProviderModel

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
