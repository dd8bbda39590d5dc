/// What a person sees on a terminal of what was written to it: as much of ECMA-48 as the program uses.
struct TerminalScreen {
    private(set) var cells: [[Character]]
    private(set) var isAlternate = false
    private(set) var isCursorVisible = true
    /// Whether a frame has begun whose end has not come (mode 2026).
    private(set) var isUpdating = false
    /// Graphics that were drawn: the sequences of kitty, iTerm2 and sixels.
    private(set) var graphics: [String] = []
    private var line = 0
    private var column = 0
    private var saved = (0, 0)
    private var main: [[Character]] = []
    /// The beginning of a sequence whose end has not come.
    private var pending = ""

    init(columns: Int, rows: Int) { cells = Self.blank(columns, rows) }

    /// The lines without spaces at their ends.
    var lines: [String] {
        cells.map { line in
            var text = String(line.filter { $0 != "\u{0}" })
            while text.last == " " { text.removeLast() }
            return text
        }
    }

    /// All of it.
    var text: String { lines.joined(separator: "\n") }

    mutating func resize(columns: Int, rows: Int) {
        cells = Self.blank(columns, rows)
        (line, column, saved) = (0, 0, (0, 0))
    }

    mutating func write(_ text: String) {
        var rest = (pending + text)[...]
        pending = ""
        while let character = rest.first {
            guard character == "\u{1b}" else {
                rest.removeFirst()
                put(character)
                continue
            }
            guard let sequence = Self.sequence(at: rest) else {
                pending = String(rest)
                return
            }
            apply(sequence)
            rest = rest[sequence.endIndex...]
        }
    }

    /// The escape sequence at the beginning; nil where its end has not come.
    private static func sequence(at text: Substring) -> Substring? {
        guard let kind = text.dropFirst().first else { return nil }
        switch kind {
        case "[": return text.dropFirst(2).firstIndex { $0.isLetter }.map { text[...$0] }
        case "]", "_", "P":
            let ends = ["\u{1b}\\", "\u{7}"].compactMap { text.dropFirst(2).firstRange(of: $0)?.upperBound }
            return ends.min().map { text[..<$0] }
        default: return text.prefix(2)
        }
    }

    private mutating func put(_ character: Character) {
        switch character {
        case "\r": column = 0
        case "\n": lineFeed()
        // Swift takes both together for one character.
        case "\r\n":
            column = 0
            lineFeed()
        case "\u{2068}", "\u{2069}": break
        default:
            let width =
                character.unicodeScalars.first.map {
                    (0x1100...0x115f).contains($0.value) || (0x2e80...0xa4cf).contains($0.value)
                        || (0xac00...0xd7a3).contains($0.value) || $0.value > 0x1f000
                } == true ? 2 : 1
            if column + width > cells[0].count {
                column = 0
                lineFeed()
            }
            cells[line][column] = character
            if width == 2 { cells[line][column + 1] = "\u{0}" }
            column += width
        }
    }

    private mutating func lineFeed() {
        line += 1
        guard line == cells.count else { return }
        line -= 1
        cells.removeFirst()
        cells.append(Array(repeating: " ", count: cells[0].count))
    }

    private mutating func apply(_ sequence: Substring) {
        if ["_", "P"].contains(sequence.dropFirst().first) || sequence.hasPrefix("\u{1b}]1337") {
            graphics.append(String(sequence))
        }
        if sequence == "\u{1b}7" { saved = (line, column) }
        if sequence == "\u{1b}8" { (line, column) = saved }
        guard sequence.hasPrefix("\u{1b}["), let final = sequence.last else { return }
        let parameters = sequence.dropFirst(2).dropLast()
        let numbers = parameters.split(separator: ";", omittingEmptySubsequences: false).map { Int($0) ?? 0 }
        let first = max(numbers.first ?? 1, 1)
        switch final {
        case "H":
            line = min(first, cells.count) - 1
            column = min(max(numbers.count > 1 ? numbers[1] : 1, 1), cells[0].count) - 1
        case "A": line = max(line - first, 0)
        case "B": line = min(line + first, cells.count - 1)
        case "C": column = min(column + first, cells[0].count - 1)
        case "G": column = min(first, cells[0].count) - 1
        case "K": for index in column..<cells[0].count { cells[line][index] = " " }
        case "J" where parameters == "2": cells = Self.blank(cells[0].count, cells.count)
        case "J":
            for index in column..<cells[0].count { cells[line][index] = " " }
            for index in (line + 1)..<max(cells.count, line + 1) {
                cells[index] = Array(repeating: " ", count: cells[0].count)
            }
        case "h", "l": switchMode(String(parameters), isOn: final == "h")
        default: break
        }
    }

    private mutating func switchMode(_ mode: String, isOn: Bool) {
        if mode == "?25" { isCursorVisible = isOn }
        if mode == "?2026" { isUpdating = isOn }
        guard mode == "?1049", isOn != isAlternate else { return }
        isAlternate = isOn
        if isOn { (main, saved) = (cells, (line, column)) } else { (line, column) = saved }
        cells = isOn || main.count != cells.count ? Self.blank(cells[0].count, cells.count) : main
    }

    private static func blank(_ columns: Int, _ rows: Int) -> [[Character]] {
        Array(repeating: Array(repeating: " ", count: columns), count: rows)
    }
}
