/// A line of an ignore file, or an entry of `files`: the patterns of git, with npm's braces.
struct FilePattern {
    /// Whether it takes back what earlier lines said.
    let isNegated: Bool
    private let onlyFolders: Bool
    /// Each of the texts that braces stand for, in segments; `**` is one of its own.
    private let alternatives: [[[Character]]]

    /// Parses a line; nil for an empty one and for a remark.
    init?(line: Substring) {
        var text = line
        while text.last?.isWhitespace == true { text = text.dropLast() }
        guard !text.isEmpty, !text.hasPrefix("#") else { return nil }
        self.init(text)
    }

    /// A pattern; nil when nothing is left of it.
    ///
    /// Without a slash it stands for files at any depth, unless it is `anchored`.
    init?(_ pattern: some StringProtocol, anchored: Bool = false) {
        var text = Substring(pattern)
        isNegated = text.hasPrefix("!")
        if isNegated { text = text.dropFirst() }
        if text.hasPrefix("./") { text = text.dropFirst() }
        onlyFolders = text.hasSuffix("/")
        if onlyFolders { text = text.dropLast() }
        // A slash anywhere but at the end ties the pattern to the folder it is written in.
        let isAnchored = anchored || text.contains("/")
        if text.hasPrefix("/") { text = text.dropFirst() }
        guard !text.isEmpty else { return nil }
        alternatives = Self.expandingBraces(of: Array(text)).map { text in
            let segments = text.split(separator: "/", omittingEmptySubsequences: true).map(Array.init)
            return isAnchored ? segments : [["*", "*"]] + segments
        }
    }

    /// Whether a file below the pattern's folder, or a folder around it, is meant.
    func matches(file path: [[Character]]) -> Bool {
        (1...path.count).contains { count in
            (count < path.count || !onlyFolders)
                && alternatives.contains { Self.matches($0[...], path[..<count]) }
        }
    }

    private static func matches(_ pattern: ArraySlice<[Character]>, _ path: ArraySlice<[Character]>) -> Bool {
        var (pattern, path) = (pattern, path)
        // Where the last `**` stands, and what it has taken so far: only that one has to be tried again.
        var anyDepth: (pattern: ArraySlice<[Character]>, path: ArraySlice<[Character]>)?
        while true {
            if pattern.first == ["*", "*"] {
                pattern = pattern.dropFirst()
                // At the end it stands for everything below, and not for the folder itself.
                if pattern.isEmpty { return !path.isEmpty }
                anyDepth = (pattern, path)
                continue
            }
            if let first = pattern.first, let segment = path.first, matches(first[...], segment[...]) {
                (pattern, path) = (pattern.dropFirst(), path.dropFirst())
                continue
            }
            if pattern.isEmpty, path.isEmpty { return true }
            guard let last = anyDepth, !last.path.isEmpty else { return false }
            anyDepth?.path = last.path.dropFirst()
            (pattern, path) = (last.pattern, last.path.dropFirst())
        }
    }

    private static func matches(_ pattern: ArraySlice<Character>, _ text: ArraySlice<Character>) -> Bool {
        var (pattern, text) = (pattern, text)
        // Where the last star stands, and what it has taken so far: only that one has to be tried again.
        var star: (pattern: ArraySlice<Character>, text: ArraySlice<Character>)?
        while true {
            if pattern.first == "*" {
                pattern = pattern.dropFirst()
                star = (pattern, text)
                continue
            }
            if let next = text.first, let (isMatch, rest) = one(pattern, next), isMatch {
                (pattern, text) = (rest, text.dropFirst())
                continue
            }
            if pattern.isEmpty, text.isEmpty { return true }
            guard let last = star, !last.text.isEmpty else { return false }
            star?.text = last.text.dropFirst()
            (pattern, text) = (last.pattern, last.text.dropFirst())
        }
    }

    /// Whether the first place of a pattern takes a character, and what is left of the pattern.
    private static func one(
        _ pattern: ArraySlice<Character>, _ character: Character
    ) -> (Bool, ArraySlice<Character>)? {
        guard let first = pattern.first else { return nil }
        let rest = pattern.dropFirst()
        switch first {
        case "?": return (true, rest)
        case "\\": return rest.first.map { ($0 == character, rest.dropFirst()) }
        case "[":
            guard let end = rest.dropFirst().firstIndex(of: "]") else { return (character == "[", rest) }
            return (isIn(rest[..<end], character), pattern[(end + 1)...])
        default: return (first == character, rest)
        }
    }

    private static func isIn(_ set: ArraySlice<Character>, _ character: Character) -> Bool {
        let isNegated = set.first == "!" || set.first == "^"
        var rest = isNegated ? set.dropFirst() : set
        var isMember = false
        while let low = rest.first {
            rest = rest.dropFirst()
            if rest.first == "-", let high = rest.dropFirst().first {
                isMember = isMember || (low <= character && character <= high)
                rest = rest.dropFirst(2)
            } else {
                isMember = isMember || low == character
            }
        }
        return isMember != isNegated
    }

    /// More than anyone writes: what has more braces would fill the memory.
    private static let maximumAlternatives = 1_000

    /// The texts that braces stand for; past the most, braces stand for themselves.
    private static func expandingBraces(of text: [Character]) -> [[Character]] {
        var pending = [text]
        var expanded: [[Character]] = []
        while let text = pending.popLast() {
            guard pending.count + expanded.count < maximumAlternatives, let close = text.firstIndex(of: "}"),
                let open = text[..<close].lastIndex(of: "{"), text[open..<close].contains(",")
            else {
                expanded.append(text)
                continue
            }
            let choices = text[(open + 1)..<close].split(separator: ",", omittingEmptySubsequences: false)
            pending += choices.map { Array(text[..<open] + $0 + text[(close + 1)...]) }
        }
        return expanded
    }
}
