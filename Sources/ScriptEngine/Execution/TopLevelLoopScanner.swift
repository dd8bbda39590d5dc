/// The loops that stand outside of every function of a file: those that may keep it from being loaded.
///
/// The engine knows the places of calls and accesses, not those of loops: one that does neither is given the place of the
/// last before it, of the first behind it, or none.
struct TopLevelLoopScanner {
    /// A loop, from its keyword to the end of its body; in bytes.
    private var loops: [Range<Int>] = []

    private enum Opening {
        case paren(before: String, loop: Int?)
        case brace(isFunction: Bool, loop: Int?, isDo: Bool)
        case bracket
    }

    private let text: [UInt8]
    private var at = 0
    private var openings: [Opening] = []
    private var functions = 0
    /// The word that was read last; empty after anything else.
    private var word = ""
    /// The last byte that is neither white space nor comment.
    private var last: UInt8 = 0
    /// What stood before the parentheses that have just been closed.
    private var closed: String?
    /// The loop whose body comes next.
    private var header: Int?
    /// A loop whose body is no block, and how deep it stands.
    private var statement: (loop: Int, depth: Int)?
    private var endsDo = false

    /// Finds the loops of a file.
    init(in text: String) {
        self.text = Array(text.utf8)
        while at < self.text.count { step() }
    }

    /// Where the loop begins that most likely was under way, by the place that the engine gives; nil where that is inside
    /// of one, or where there is none.
    func start(near place: Int?) -> Int? {
        guard let place else { return loops.count == 1 ? loops[0].lowerBound : nil }
        if loops.contains(where: { $0.contains(place) }) { return nil }
        return (loops.first { $0.lowerBound > place } ?? loops.last)?.lowerBound
    }

    private mutating func step() {
        let byte = text[at]
        switch byte {
        case 0x20, 0x09...0x0d: at += 1
        case UInt8(ascii: "/") where skipComment(): break
        case UInt8(ascii: "/") where isOperandExpected: skip(to: byte, isRegularExpression: true)
        case UInt8(ascii: "'"), UInt8(ascii: "\""), UInt8(ascii: "`"): skip(to: byte)
        case _ where Self.isNameByte(byte): readWord()
        default: readSign(byte)
        }
    }

    private mutating func skipComment() -> Bool {
        guard at + 1 < text.count else { return false }
        let end: [UInt8]
        switch text[at + 1] {
        case UInt8(ascii: "/"): end = [0x0a]
        case UInt8(ascii: "*"): end = Array("*/".utf8)
        default: return false
        }
        at += 2
        while at < text.count, !isThere(end) { at += 1 }
        at += end.count
        return true
    }

    private func isThere(_ bytes: [UInt8]) -> Bool {
        at + bytes.count <= text.count && bytes.indices.allSatisfy { text[at + $0] == bytes[$0] }
    }

    /// Whether a slash begins a regular expression, and no division.
    private var isOperandExpected: Bool {
        if !word.isEmpty { return ["return", "typeof", "case", "in", "of", "do", "else", "void"].contains(word) }
        return last == 0 || "(,=:[!&|?{};+-*%<>~^".utf8.contains(last)
    }

    private mutating func skip(to end: UInt8, isRegularExpression: Bool = false) {
        at += 1
        var isInClass = false
        while at < text.count, text[at] != end || isInClass {
            if isRegularExpression, text[at] == UInt8(ascii: "[") { isInClass = true }
            if text[at] == UInt8(ascii: "]") { isInClass = false }
            at += text[at] == UInt8(ascii: "\\") ? 2 : 1
        }
        at += 1
        (word, last) = ("", end)
        closed = nil
    }

    private static func isNameByte(_ byte: UInt8) -> Bool {
        (0x30...0x39).contains(byte) || (0x41...0x5a).contains(byte) || (0x61...0x7a).contains(byte) || byte >= 0x80
            || byte == 0x5f || byte == 0x24
    }

    private mutating func readWord() {
        let start = at
        while at < text.count, Self.isNameByte(text[at]) { at += 1 }
        let isMember = last == UInt8(ascii: ".")
        word = isMember ? "" : String(decoding: text[start..<at], as: UTF8.self)
        last = text[at - 1]
        closed = nil
        defer { endsDo = false }
        guard functions == 0, ["while", "for", "do"].contains(word), !(word == "while" && endsDo) else { return }
        loops.append(start..<text.count)
        header = loops.count - 1
    }

    private mutating func readSign(_ byte: UInt8) {
        defer {
            at += 1
            last = byte
            word = ""
        }
        switch byte {
        case UInt8(ascii: "("):
            // The name of a method.
            if word == "do", header != nil { forgetHeader() }
            openings.append(.paren(before: word, loop: word == "for" || word == "while" ? header : nil))
            if word == "for" || word == "while" { header = nil }
            closed = nil
        case UInt8(ascii: "["): openings.append(.bracket)
        case UInt8(ascii: "{"):
            let isArrow = last == UInt8(ascii: ">") && at > 1
            let isFunction =
                isArrow || closed.map { !["if", "for", "while", "switch", "catch", "with"].contains($0) } ?? false
            openings.append(.brace(isFunction: isFunction, loop: header, isDo: word == "do"))
            if isFunction { functions += 1 }
            (header, closed) = (nil, nil)
        case UInt8(ascii: ")"), UInt8(ascii: "]"), UInt8(ascii: "}"): close()
        case UInt8(ascii: ";"):
            if let loop = header { end(loop) }
            header = nil
            if let statement, statement.depth == openings.count {
                end(statement.loop)
                self.statement = nil
            }
            closed = nil
        default:
            // The name of a member: `{ for: 1 }`.
            if byte == UInt8(ascii: ":"), header != nil, closed == nil { forgetHeader() }
            if let loop = header, closed != nil { statement = (loop, openings.count) }
            header = nil
            closed = nil
        }
    }

    private mutating func close() {
        closed = nil
        switch openings.popLast() {
        case .paren(let before, let loop)?:
            closed = before
            header = loop
        case .brace(let isFunction, let loop, let isDo)?:
            if isFunction { functions -= 1 }
            if let loop { end(loop) }
            endsDo = isDo
        case .bracket?, nil: break
        }
    }

    private mutating func forgetHeader() {
        loops.removeLast()
        header = nil
    }

    private mutating func end(_ loop: Int) { loops[loop] = loops[loop].lowerBound..<(at + 1) }
}
