/// A line of an ignore file, or an entry of `files`: the patterns of git, with npm's braces.
struct FilePattern {
    /// Whether it takes back what earlier lines said.
    let isNegated: Bool
    private let onlyFolders: Bool
    /// Each of the texts that braces stand for, in segments.
    private let alternatives: [[Segment]]

    /// What stands between two slashes.
    private enum Segment {
        /// `**`: folders at any depth.
        case anyDepth
        case name([Part])
    }

    /// What one place in a name takes.
    fileprivate enum Part {
        /// `*`: characters, as many as there are.
        case anyCount
        /// `?`
        case any
        case character(Character)
        case set(isNegated: Bool, [(low: Character, high: Character)])
    }

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
            let segments = text.split(separator: "/").map { segment -> Segment in
                segment == ["*", "*"] ? .anyDepth : .name(Self.parts(of: segment))
            }
            return isAnchored ? segments : [.anyDepth] + segments
        }
    }

    // MARK: - Matching

    /// Whether a file below the pattern's folder, or a folder around it, is meant.
    ///
    /// Takes time in proportion to the pattern's length times the path's, whatever either holds.
    func matches(file path: [[Character]]) -> Bool { alternatives.contains { matches($0, path) } }

    private func matches(_ segments: [Segment], _ path: [[Character]]) -> Bool {
        // The segments that the next name may be taken by.
        var places = [true] + [Bool](repeating: false, count: segments.count)
        for (index, name) in path.enumerated() {
            Self.passAnyDepth(segments, &places)
            var next = [Bool](repeating: false, count: places.count)
            for (place, segment) in segments.enumerated() where places[place] {
                switch segment {
                case .anyDepth:
                    // At the end it stands for everything below, and not for the folder itself.
                    next[place + 1 == segments.count ? place + 1 : place] = true
                case .name(let parts):
                    if Self.matches(parts, name) { next[place + 1] = true }
                }
            }
            if next[segments.count], index + 1 < path.count || !onlyFolders { return true }
            places = next
        }
        return false
    }

    /// `**` with something behind it stands for no folder as well.
    private static func passAnyDepth(_ segments: [Segment], _ places: inout [Bool]) {
        for (place, segment) in segments.enumerated().dropLast() where places[place] {
            if case .anyDepth = segment { places[place + 1] = true }
        }
    }

    private static func matches(_ parts: [Part], _ name: [Character]) -> Bool {
        var (place, position) = (0, 0)
        // What stands behind the last star, and where that was tried: only this star has to take more.
        var star: (place: Int, position: Int)?
        while true {
            if place < parts.count, case .anyCount = parts[place] {
                place += 1
                star = (place, position)
            } else if place < parts.count, position < name.count, parts[place].takes(name[position]) {
                (place, position) = (place + 1, position + 1)
            } else if place == parts.count, position == name.count {
                return true
            } else if let last = star, last.position < name.count {
                (place, position) = (last.place, last.position + 1)
                star = (place, position)
            } else {
                return false
            }
        }
    }

    // MARK: - Parsing

    private static func parts(of segment: ArraySlice<Character>) -> [Part] {
        var parts: [Part] = []
        var rest = segment
        while let first = rest.popFirst() {
            switch first {
            case "*": parts.append(.anyCount)
            case "?": parts.append(.any)
            // Behind the last one nothing can stand, so the pattern matches nothing.
            case "\\": parts.append(rest.popFirst().map(Part.character) ?? .set(isNegated: false, []))
            case "[":
                guard let end = rest.dropFirst().firstIndex(of: "]") else {
                    parts.append(.character(first))
                    continue
                }
                parts.append(set(of: rest[..<end]))
                rest = rest[(end + 1)...]
            default: parts.append(.character(first))
            }
        }
        return parts
    }

    private static func set(of text: ArraySlice<Character>) -> Part {
        let isNegated = text.first == "!" || text.first == "^"
        var rest = isNegated ? text.dropFirst() : text
        var ranges: [(low: Character, high: Character)] = []
        while let low = rest.popFirst() {
            if rest.first == "-", let high = rest.dropFirst().first {
                ranges.append((low, high))
                rest = rest.dropFirst(2)
            } else {
                ranges.append((low, low))
            }
        }
        return .set(isNegated: isNegated, ranges)
    }

    /// More than anyone writes, all texts together: what has more braces would fill the memory.
    private static let maximumExpansion = 16_384

    /// The texts that braces stand for; past the most, braces stand for themselves.
    private static func expandingBraces(of text: [Character]) -> [[Character]] {
        var pending = [text]
        var expanded: [[Character]] = []
        var size = text.count
        while let text = pending.popLast() {
            guard let close = text.firstIndex(of: "}"), let open = text[..<close].lastIndex(of: "{"),
                text[open..<close].contains(",")
            else {
                expanded.append(text)
                continue
            }
            let choices = text[(open + 1)..<close].split(separator: ",", omittingEmptySubsequences: false)
            // Each text counts as one character more: an empty one is one, too.
            let others = (choices.count - 1) * (text.count - (close - open)) + close - open
            guard size + others <= maximumExpansion else {
                expanded.append(text)
                continue
            }
            size += others
            pending += choices.map { Array(text[..<open] + $0 + text[(close + 1)...]) }
        }
        return expanded
    }
}

extension FilePattern.Part {
    /// Whether the place takes a character.
    fileprivate func takes(_ character: Character) -> Bool {
        switch self {
        case .anyCount, .any: true
        case .character(let own): own == character
        case .set(let isNegated, let ranges):
            ranges.contains { $0.low <= character && character <= $0.high } != isNegated
        }
    }
}
