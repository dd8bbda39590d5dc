/// JSON with comments (JSONC): comments, and commas behind a last value, become spaces, so that each value keeps its line.
struct JSONComments {
    /// Plain JSON of the same length; what is neither comment nor comma is as it was.
    private(set) var json: [UInt8]
    /// Whether there were any comments.
    private(set) var areThere = false

    private enum Context {
        case value, text, line, block
    }

    /// Blanks the comments of a text.
    init(_ bytes: [UInt8]) {
        json = bytes
        var context = Context.value
        var start = 0
        var comma: Int?
        var place = 0
        while place < bytes.count {
            let byte = bytes[place]
            let next = place + 1 < bytes.count ? bytes[place + 1] : 0
            switch context {
            case .text:
                if byte == UInt8(ascii: "\\") { place += 1 }
                if byte == UInt8(ascii: "\"") { context = .value }
            case .line: if byte == 0x0a { (context, place) = (end(start..<place), place - 1) }
            case .block:
                if byte == UInt8(ascii: "*"), next == UInt8(ascii: "/"), place > start + 1 {
                    place += 1
                    context = end(start..<place + 1)
                }
            case .value where byte == UInt8(ascii: "/") && next == byte: (context, start) = (.line, place)
            case .value where byte == UInt8(ascii: "/") && next == UInt8(ascii: "*"): (context, start) = (.block, place)
            case .value:
                if byte == UInt8(ascii: "\"") { context = .text }
                if let last = comma, byte == UInt8(ascii: "}") || byte == UInt8(ascii: "]") { json[last] = 0x20 }
                if byte > 0x20 { comma = byte == UInt8(ascii: ",") ? place : nil }
            }
            place += 1
        }
        if context == .line { _ = end(start..<bytes.count) }
    }

    /// Ends a comment, whose line breaks stay.
    private mutating func end(_ comment: Range<Int>) -> Context {
        areThere = true
        for place in comment where json[place] != 0x0a { json[place] = 0x20 }
        return .value
    }
}
