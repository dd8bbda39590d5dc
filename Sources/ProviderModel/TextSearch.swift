extension StringProtocol {
    /// Where a text first stands in this one, byte by byte.
    ///
    /// The standard library's `contains`, `ranges` and `firstRange` of a text are part of its regular expressions. Whoever
    /// calls one of them carries all of those, and moves a thousand pointers in them at every start.
    package func place(of text: String) -> Range<Index>? {
        let sought = text.utf8
        var start = utf8.startIndex
        while start < utf8.endIndex {
            if utf8[start...].starts(with: sought) { return start..<utf8.index(start, offsetBy: sought.count) }
            utf8.formIndex(after: &start)
        }
        return nil
    }

    /// Whether a text stands somewhere in this one.
    package func holds(_ text: String) -> Bool { place(of: text) != nil }

    /// This text with another in each place of a third.
    package func substituting(_ replacement: String, for text: String) -> String {
        guard !text.isEmpty else { return String(self) }
        var result = ""
        var rest = self[...]
        while let place = rest.place(of: text) {
            result += rest[..<place.lowerBound] + replacement
            rest = rest[place.upperBound...]
        }
        return result + rest
    }
}
