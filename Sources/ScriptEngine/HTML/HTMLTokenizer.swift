import CLibXML2
import Glibc

/// Splits a page into tokens, by section 13.2.5 of the HTML standard.
///
/// The standard describes an automaton that takes a character at a time. As the whole page is here, each construct is read in
/// one go; the results are the same, and are held to html5lib's tests.
struct HTMLTokenizer<Sink: HTMLTokenSink> {
    let input: UnsafeBufferPointer<UInt8>
    let names: NameTable
    var sink: Sink
    var position = 0
    var content: HTMLTextContent
    /// The element that raw text belongs to.
    var lastStartTag: HTMLTag?

    /// A tokenizer of a page in UTF-8 whose line ends are `\n` alone.
    init(
        _ input: UnsafeBufferPointer<UInt8>, names: NameTable, sink: Sink, content: HTMLTextContent = .data,
        lastStartTag: HTMLTag? = nil
    ) {
        self.input = input
        self.names = names
        self.sink = sink
        self.content = content
        self.lastStartTag = lastStartTag
    }

    /// Reads all of the page.
    mutating func run() {
        while position < input.count, !sink.hasFailed {
            switch content {
            case .data: readData()
            case .escapableText: readRawText(resolvingReferences: true)
            case .rawText: readRawText(resolvingReferences: false)
            case .script: readScript()
            case .plainText:
                emitText(to: input.count)
                position = input.count
            }
        }
        if !sink.hasFailed { sink.end() }
    }

    // MARK: Text

    private mutating func readData() {
        let start = position
        var end = start
        while end < input.count {
            let byte = input[end]
            if byte == UInt8(ascii: "<") || byte == UInt8(ascii: "&") || byte == 0 { break }
            end += 1
        }
        if end > start { sink.characters(UnsafeBufferPointer(rebasing: input[start..<end])) }
        position = end
        guard end < input.count else { return }
        switch input[end] {
        case UInt8(ascii: "<"): readMarkup()
        case UInt8(ascii: "&"): emit(reference(inAttribute: false))
        default:
            sink.characters(UnsafeBufferPointer(rebasing: input[end...end]))
            position += 1
        }
    }

    /// Reads text up to the end tag of its element.
    private mutating func readRawText(resolvingReferences: Bool) {
        var end = position
        while end < input.count {
            if input[end] == UInt8(ascii: "<"), isEndTag(at: end) { break }
            end += 1
        }
        emitText(to: end, resolvingReferences: resolvingReferences)
        endRawText(at: end)
    }

    /// Emits what stands before `end`, with U+FFFD for NUL characters.
    private mutating func emitText(to end: Int, resolvingReferences: Bool = false) {
        while position < end {
            let start = position
            if resolvingReferences {
                while position < end, input[position] != 0, input[position] != UInt8(ascii: "&") { position += 1 }
            } else {
                position = place(of: 0, from: start, upTo: end)
            }
            if position > start { sink.characters(UnsafeBufferPointer(rebasing: input[start..<position])) }
            guard position < end else { return }
            if input[position] == 0 {
                position += 1
                emit(Self.replacement)
            } else {
                emit(reference(inAttribute: false))
            }
        }
    }

    private mutating func endRawText(at end: Int) {
        position = end
        content = .data
        if end < input.count {
            position += 2
            readTag(isEnd: true)
        }
    }

    /// Whether the `<` at a place begins the end tag of the element whose text is read.
    private func isEndTag(at place: Int) -> Bool {
        guard place + 1 < input.count, input[place + 1] == UInt8(ascii: "/"), let name = lastStartTag?.name else {
            return false
        }
        return hasName(UnsafeBufferPointer(start: name, count: Int(xmlStrlen(name))), at: place + 2)
    }

    /// Whether a tag's name stands at a place, and ends there.
    private func hasName(_ name: UnsafeBufferPointer<UInt8>, at place: Int) -> Bool {
        guard place + name.count < input.count else { return false }
        for index in 0..<name.count where input[place + index].asciiLowercased != name[index] { return false }
        return input[place + name.count].endsTagName
    }

    private func hasName(_ name: StaticString, at place: Int) -> Bool {
        name.withUTF8Buffer { hasName($0, at: place) }
    }

    /// Reads a script: inside of `<!-- <script>` an end tag ends that script, not this one.
    private mutating func readScript() {
        var state = ScriptState.plain
        var dashes = 0
        var end = position
        scan: while end < input.count {
            if state == .plain { end = place(of: UInt8(ascii: "<"), from: end, upTo: input.count) }
            guard end < input.count else { break }
            switch input[end] {
            case UInt8(ascii: "-"): dashes += 1
            case UInt8(ascii: ">"):
                if dashes >= 2 { state = .plain }
                dashes = 0
            case UInt8(ascii: "<"):
                dashes = 0
                if state == .doublyEscaped {
                    if hasName("/script", at: end + 1) { state = .escaped }
                } else if isEndTag(at: end) {
                    break scan
                } else if state == .plain, starts(with: "!--", at: end + 1) {
                    state = .escaped
                    dashes = 2
                    end += 3
                } else if state == .escaped, hasName("script", at: end + 1) {
                    state = .doublyEscaped
                }
            default: dashes = 0
            }
            end += 1
        }
        emitText(to: end)
        endRawText(at: end)
    }

    // MARK: For the other aspects

    static var replacement: [UInt8] { [0xEF, 0xBF, 0xBD] }

    /// Reads a character reference and returns what it stands for.
    mutating func reference(inAttribute: Bool) -> [UInt8] {
        var reader = CharacterReferenceReader(input: input, position: position)
        defer { position = reader.position }
        return reader.read(inAttribute: inAttribute)
    }

    mutating func emit(_ bytes: [UInt8]) {
        bytes.withUnsafeBufferPointer { sink.characters($0) }
    }

    /// Whether a text in lower case stands at a place, whatever the case there.
    func starts(with text: StaticString, at place: Int) -> Bool {
        guard place + text.utf8CodeUnitCount <= input.count else { return false }
        return text.withUTF8Buffer { text in
            text.indices.allSatisfy { input[place + $0].asciiLowercased == text[$0] }
        }
    }

    /// Where a byte stands first; `end` where it does not stand before it.
    private func place(of byte: UInt8, from start: Int, upTo end: Int) -> Int {
        guard start < end, let base = input.baseAddress, let found = memchr(base + start, Int32(byte), end - start)
        else { return end }
        return found - UnsafeMutableRawPointer(mutating: base)
    }

    mutating func skipSpace() {
        while position < input.count, input[position].isHTMLSpace { position += 1 }
    }
}

/// The parts of a script: in a comment that opens a script, an end tag is that script's.
private enum ScriptState {
    case plain, escaped, doublyEscaped
}

extension UInt8 {
    /// Whether HTML counts a character as white space.
    var isHTMLSpace: Bool { self == 0x20 || self == 0x0A || self == 0x09 || self == 0x0C || self == 0x0D }

    var endsTagName: Bool { isHTMLSpace || self == UInt8(ascii: "/") || self == UInt8(ascii: ">") }
}
