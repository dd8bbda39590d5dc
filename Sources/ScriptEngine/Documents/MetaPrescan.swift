/// Finds the encoding that a page declares in a `meta` element, by "prescan a byte stream" of the HTML standard (13.2.3.2).
struct MetaPrescan {
    /// The most bytes that are looked through.
    ///
    /// Browsers stop after 1,024, and begin anew where they come to a declaration later.
    private static let length = 32_768

    private let bytes: UnsafeRawBufferPointer
    private var position = 0

    /// The encoding of the first declaration that is one; nil where there is none, or where it is cut off.
    static func charset(in bytes: UnsafeRawBufferPointer) -> Charset? {
        var scan = MetaPrescan(bytes: UnsafeRawBufferPointer(rebasing: bytes.prefix(length)))
        return scan.charset()
    }

    private init(bytes: UnsafeRawBufferPointer) { self.bytes = bytes }

    private mutating func charset() -> Charset? {
        while position < bytes.count {
            guard bytes[position] == UInt8(ascii: "<") else {
                position += 1
                continue
            }
            if starts(with: "<!--") {
                position += 2
                while position < bytes.count, !starts(with: "-->") { position += 1 }
                position += 3
            } else if starts(with: "<meta"), let next = byte(at: position + 5), next.isHTMLSpace || next == 0x2F {
                position += 6
                guard let attributes = attributes() else { return nil }
                if let charset = Self.charset(declaredBy: attributes) { return charset }
            } else if isTag {
                while let byte = byte(at: position), !byte.isHTMLSpace, byte != UInt8(ascii: ">") { position += 1 }
                guard attributes() != nil else { return nil }
            } else if let next = byte(at: position + 1), "!/?".utf8.contains(next) {
                while let byte = byte(at: position), byte != UInt8(ascii: ">") { position += 1 }
                position += 1
            } else {
                position += 1
            }
        }
        return nil
    }

    private var isTag: Bool {
        let isEnd = byte(at: position + 1) == UInt8(ascii: "/")
        return byte(at: position + (isEnd ? 2 : 1))?.isASCIILetter ?? false
    }

    private func byte(at place: Int) -> UInt8? { place < bytes.count ? bytes[place] : nil }

    private func starts(with text: StaticString) -> Bool {
        guard position + text.utf8CodeUnitCount <= bytes.count else { return false }
        return text.withUTF8Buffer { text in
            text.indices.allSatisfy { bytes[position + $0].asciiLowercased == text[$0] }
        }
    }

    // MARK: Attributes

    private typealias Attribute = (name: [UInt8], value: [UInt8])

    /// Reads the attributes of a tag; nil where the bytes end before it does.
    private mutating func attributes() -> [Attribute]? {
        var attributes: [Attribute] = []
        while true {
            while let byte = byte(at: position), byte.isHTMLSpace || byte == UInt8(ascii: "/") { position += 1 }
            guard let byte = byte(at: position) else { return nil }
            if byte == UInt8(ascii: ">") {
                position += 1
                return attributes
            }
            guard let attribute = attribute() else { return nil }
            if !attributes.contains(where: { $0.name == attribute.name }) { attributes.append(attribute) }
        }
    }

    private mutating func attribute() -> Attribute? {
        var name: [UInt8] = []
        while let byte = byte(at: position), !byte.endsTagName, byte != UInt8(ascii: "=") || name.isEmpty {
            name.append(byte.asciiLowercased)
            position += 1
        }
        skipSpace()
        guard let next = byte(at: position) else { return nil }
        guard next == UInt8(ascii: "=") else { return (name, []) }
        position += 1
        skipSpace()
        guard let quote = byte(at: position) else { return nil }
        guard quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") else {
            return value { $0.isHTMLSpace || $0 == UInt8(ascii: ">") }.map { (name, $0) }
        }
        position += 1
        guard let value = value(endingAt: { $0 == quote }) else { return nil }
        position += 1
        return (name, value)
    }

    private mutating func value(endingAt isEnd: (UInt8) -> Bool) -> [UInt8]? {
        var value: [UInt8] = []
        while let byte = byte(at: position) {
            if isEnd(byte) { return value }
            value.append(byte.asciiLowercased)
            position += 1
        }
        return nil
    }

    private mutating func skipSpace() {
        while let byte = byte(at: position), byte.isHTMLSpace { position += 1 }
    }

    // MARK: Meanings

    private static func charset(declaredBy attributes: [Attribute]) -> Charset? {
        func value(_ name: String) -> [UInt8]? { attributes.first { $0.name.elementsEqual(name.utf8) }?.value }
        if let label = value("charset") { return Charset(label: String(decoding: label, as: UTF8.self)) }
        guard let type = value("http-equiv"), type.elementsEqual("content-type".utf8), let content = value("content")
        else {
            return nil
        }
        return label(in: content).flatMap(Charset.init(label:))
    }

    /// The label behind `charset=` in the value of a `Content-Type`.
    private static func label(in content: [UInt8]) -> String? {
        var rest = content[...]
        while let start = rest.indices.first(where: { rest[$0...].starts(with: "charset".utf8) }) {
            rest = rest[(start + 7)...].drop(while: \.isHTMLSpace)
            guard rest.first == UInt8(ascii: "=") else { continue }
            rest = rest.dropFirst().drop(while: \.isHTMLSpace)
            guard let quote = rest.first else { return nil }
            guard quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") else {
                return String(decoding: rest.prefix { !$0.isHTMLSpace && $0 != UInt8(ascii: ";") }, as: UTF8.self)
            }
            let value = rest.dropFirst()
            return value.firstIndex(of: quote).map { String(decoding: value[..<$0], as: UTF8.self) }
        }
        return nil
    }
}
