import CLibXML2

/// Tags, comments and declarations.
extension HTMLTokenizer {
    /// Reads what begins with `<`.
    mutating func readMarkup() {
        guard position + 1 < input.count else { return emitLiteral(1) }
        switch input[position + 1] {
        case UInt8(ascii: "!"):
            position += 2
            readDeclaration()
        case UInt8(ascii: "/"): readEndTag()
        case UInt8(ascii: "?"):
            position += 1
            readBogusComment()
        case let byte where byte.isASCIILetter:
            position += 1
            readTag(isEnd: false)
        default: emitLiteral(1)
        }
    }

    private mutating func readEndTag() {
        guard position + 2 < input.count else { return emitLiteral(2) }
        let byte = input[position + 2]
        if byte.isASCIILetter {
            position += 2
            readTag(isEnd: true)
        } else if byte == UInt8(ascii: ">") {
            position += 3
        } else {
            position += 2
            readBogusComment()
        }
    }

    private mutating func emitLiteral(_ count: Int) {
        sink.characters(UnsafeBufferPointer(rebasing: input[position..<position + count]))
        position += count
    }

    // MARK: Tags

    /// Reads a tag from its name on; one that the page ends in is no tag.
    mutating func readTag(isEnd: Bool) {
        let start = position
        while position < input.count, !input[position].endsTagName { position += 1 }
        guard position < input.count, let tag = withName(start..<position, { names.tag($0) }) else { return dropRest() }
        var token = HTMLStartTag(tag: tag)
        guard readAttributes(into: &token) else { return dropRest() }
        if isEnd {
            sink.endTag(tag)
        } else {
            lastStartTag = tag
            content = sink.startTag(token)
        }
    }

    private mutating func dropRest() { position = input.count }

    /// Calls `body` with a name in lower case and without NUL characters.
    private func withName<Result>(_ range: Range<Int>, _ body: (UnsafeBufferPointer<UInt8>) -> Result) -> Result {
        let name = UnsafeBufferPointer(rebasing: input[range])
        if name.allSatisfy({ $0 != 0 && !(0x41...0x5A).contains($0) }) { return body(name) }
        var bytes: [UInt8] = []
        for byte in name {
            if byte == 0 { bytes += Self.replacement } else { bytes.append(byte.asciiLowercased) }
        }
        return bytes.withUnsafeBufferPointer(body)
    }

    /// Reads attributes up to the end of the tag; false where the page ends before.
    private mutating func readAttributes(into token: inout HTMLStartTag) -> Bool {
        var seen = AttributeNames()
        while true {
            skipSpace()
            guard position < input.count else { return false }
            if input[position] == UInt8(ascii: ">") {
                position += 1
                return true
            }
            if input[position] == UInt8(ascii: "/") {
                position += 1
                if position < input.count, input[position] == UInt8(ascii: ">") { token.isSelfClosing = true }
                continue
            }
            let start = position
            position += 1
            while position < input.count, !input[position].endsTagName, input[position] != UInt8(ascii: "=") {
                position += 1
            }
            guard let name = withName(start..<position, { names.name($0) }), let value = attributeValue() else {
                return false
            }
            if seen.insert(name, beside: token.attributes) {
                token.attributes.append(HTMLAttribute(name: name, value: value))
            }
        }
    }

    /// Reads the `=` and the value behind an attribute's name; an empty one where there is none, nil where the page ends.
    private mutating func attributeValue() -> HTMLAttribute.Value? {
        skipSpace()
        guard position < input.count else { return nil }
        guard input[position] == UInt8(ascii: "=") else { return .decoded([]) }
        position += 1
        skipSpace()
        guard position < input.count else { return nil }
        let quote = input[position]
        switch quote {
        case UInt8(ascii: "\""), UInt8(ascii: "'"):
            position += 1
            guard let value = value(endingAt: { $0 == quote }) else { return nil }
            position += 1
            return value
        case UInt8(ascii: ">"): return .decoded([])
        default: return value { $0 == UInt8(ascii: ">") || $0.isHTMLSpace }
        }
    }

    private mutating func value(endingAt isEnd: (UInt8) -> Bool) -> HTMLAttribute.Value? {
        let start = position
        var decoded: [UInt8]?
        while position < input.count {
            let byte = input[position]
            if isEnd(byte) {
                return decoded.map { .decoded($0) } ?? .plain(UnsafeBufferPointer(rebasing: input[start..<position]))
            }
            if byte == UInt8(ascii: "&") || byte == 0 {
                var text = decoded ?? Array(input[start..<position])
                decoded = nil
                if byte == 0 {
                    text += Self.replacement
                    position += 1
                } else {
                    text += reference(inAttribute: true)
                }
                decoded = text
            } else {
                decoded?.append(byte)
                position += 1
            }
        }
        return nil
    }

    // MARK: Comments and declarations

    /// Reads what begins with `<!`.
    private mutating func readDeclaration() {
        if starts(with: "--", at: position) {
            position += 2
            readComment()
        } else if starts(with: "doctype", at: position) {
            position += 7
            sink.doctype(doctype())
        } else if sink.allowsCDATA, input[position...].starts(with: "[CDATA[".utf8) {
            position += 7
            readCDATA()
        } else {
            readBogusComment()
        }
    }

    private mutating func readComment() {
        for (end, length) in [(">", 1), ("->", 2)] as [(StaticString, Int)] where starts(with: end, at: position) {
            position += length
            return sink.comment([])
        }
        let start = position
        while position < input.count {
            if input[position] == UInt8(ascii: "-"), starts(with: "--", at: position) {
                for (end, length) in [("-->", 3), ("--!>", 4)] as [(StaticString, Int)]
                where starts(with: end, at: position) {
                    let text = text(in: start..<position)
                    position += length
                    return sink.comment(text)
                }
            }
            position += 1
        }
        var end = input.count
        for ending in ["--!", "--", "-"] as [StaticString] {
            let count = ending.utf8CodeUnitCount
            guard end - start >= count, starts(with: ending, at: end - count) else { continue }
            end -= count
            break
        }
        sink.comment(text(in: start..<end))
    }

    private mutating func readBogusComment() {
        let start = position
        while position < input.count, input[position] != UInt8(ascii: ">") { position += 1 }
        let text = text(in: start..<position)
        if position < input.count { position += 1 }
        sink.comment(text)
    }

    private mutating func readCDATA() {
        let start = position
        while position < input.count, !starts(with: "]]>", at: position) { position += 1 }
        let end = position
        position = min(end + 3, input.count)
        for part in input[start..<end].split(separator: 0, omittingEmptySubsequences: false).enumerated() {
            // A NUL between two parts stands for itself: what becomes of it depends on where it is.
            if part.offset > 0 { emit([0]) }
            if !part.element.isEmpty { sink.characters(UnsafeBufferPointer(rebasing: part.element)) }
        }
    }

    private func text(in range: Range<Int>) -> [UInt8] {
        let text = Array(input[range])
        return text.contains(0) ? text.flatMap { $0 == 0 ? Self.replacement : [$0] } : text
    }

    // MARK: Document types

    private mutating func doctype() -> HTMLDoctype {
        var doctype = HTMLDoctype()
        skipSpace()
        let start = position
        while position < input.count, !input[position].isHTMLSpace, input[position] != UInt8(ascii: ">") {
            position += 1
        }
        if position > start { doctype.name = text(in: start..<position).map(\.asciiLowercased) }
        skipSpace()
        if position < input.count, input[position] == UInt8(ascii: ">") {
            doctype.forcesQuirks = doctype.name == nil
            position += 1
            return doctype
        }
        let isPublic = starts(with: "public", at: position)
        if isPublic || starts(with: "system", at: position) {
            position += 6
            readIdentifiers(of: &doctype, isPublic: isPublic)
        } else {
            doctype.forcesQuirks = true
        }
        while position < input.count, input[position] != UInt8(ascii: ">") { position += 1 }
        position = min(position + 1, input.count)
        return doctype
    }

    /// Reads the identifiers of a document type; stops at the `>`, or where something else stands.
    private mutating func readIdentifiers(of doctype: inout HTMLDoctype, isPublic: Bool) {
        if isPublic {
            doctype.publicID = identifier(&doctype.forcesQuirks)
            guard doctype.publicID != nil, !doctype.forcesQuirks else {
                doctype.forcesQuirks = true
                return
            }
            skipSpace()
            if position < input.count, input[position] == UInt8(ascii: ">") { return }
        }
        doctype.systemID = identifier(&doctype.forcesQuirks)
        guard doctype.systemID != nil, !doctype.forcesQuirks else {
            doctype.forcesQuirks = true
            return
        }
        skipSpace()
        if position >= input.count { doctype.forcesQuirks = true }
    }

    /// Reads a quoted identifier; nil where none stands there, and cut off at a `>`.
    private mutating func identifier(_ isBroken: inout Bool) -> [UInt8]? {
        skipSpace()
        guard position < input.count, case let quote = input[position],
            quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'")
        else { return nil }
        position += 1
        let start = position
        while position < input.count, input[position] != quote, input[position] != UInt8(ascii: ">") { position += 1 }
        let identifier = text(in: start..<position)
        if position < input.count, input[position] == quote { position += 1 } else { isBroken = true }
        return identifier
    }
}

/// The names of a tag's attributes, of which each counts once.
private struct AttributeNames {
    /// More names than this are looked up in a set.
    private static let listLimit = 16
    private var names: Set<UnsafePointer<xmlChar>> = []

    /// Whether a name is new.
    mutating func insert(_ name: UnsafePointer<xmlChar>, beside attributes: [HTMLAttribute]) -> Bool {
        if attributes.count < Self.listLimit { return !attributes.contains { $0.name == name } }
        if names.isEmpty { names = Set(attributes.map(\.name)) }
        return names.insert(name).inserted
    }
}
