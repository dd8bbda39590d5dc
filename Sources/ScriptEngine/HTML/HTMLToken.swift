import CLibXML2

/// An attribute of a start tag.
struct HTMLAttribute {
    /// The attribute's value: a part of the page, or that with its character references resolved.
    enum Value {
        case plain(UnsafeBufferPointer<UInt8>)
        case decoded([UInt8])
    }

    let name: UnsafePointer<xmlChar>
    let value: Value

    func withValue<Result>(_ body: (UnsafeBufferPointer<UInt8>) -> Result) -> Result {
        switch value {
        case .plain(let bytes): body(bytes)
        case .decoded(let bytes): bytes.withUnsafeBufferPointer(body)
        }
    }

    func hasValue(_ wanted: StaticString, ignoringCase: Bool = true) -> Bool {
        withValue { value in
            value.count == wanted.utf8CodeUnitCount
                && wanted.withUTF8Buffer { zip(value, $0).allSatisfy { $0.asciiLowercased == $1 } }
        }
    }
}

/// A start tag.
struct HTMLStartTag {
    var tag: HTMLTag
    var attributes: [HTMLAttribute] = []
    var isSelfClosing = false
}

/// A document type declaration.
struct HTMLDoctype: Equatable {
    var name: [UInt8]?
    var publicID: [UInt8]?
    var systemID: [UInt8]?
    /// Whether the declaration is broken, so that browsers render the page as the oldest of them did.
    var forcesQuirks = false
}

/// The kinds of text that can follow a start tag.
enum HTMLTextContent {
    /// Text with tags and references.
    case data
    /// Text with references up to the end tag: a title.
    case escapableText
    /// Text up to the end tag: a style sheet.
    case rawText
    /// A script, in which a comment may hold an end tag.
    case script
    /// Text up to the end of the page.
    case plainText
}

/// The receiver of a page's tokens.
protocol HTMLTokenSink {
    /// Whether the next token is read inside of SVG or MathML, which have CDATA sections.
    var allowsCDATA: Bool { get }
    /// Whether reading should end here.
    var hasFailed: Bool { get }

    mutating func doctype(_ doctype: HTMLDoctype)
    /// Takes a start tag and returns what kind of text follows it.
    mutating func startTag(_ tag: HTMLStartTag) -> HTMLTextContent
    mutating func endTag(_ tag: HTMLTag)
    mutating func comment(_ text: [UInt8])
    /// Takes text without NUL characters, or one NUL character alone.
    mutating func characters(_ bytes: UnsafeBufferPointer<UInt8>)
    mutating func end()
}
