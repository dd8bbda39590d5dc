import CLibXML2

extension DocumentStore {
    /// Parses HTML as browsers do, and returns the document's handle.
    func parseHTML(
        _ bytes: UnsafeRawBufferPointer, charset: String?, url: String
    ) throws(DocumentError) -> NodeHandle {
        try begin(bytes, url: url)
        var text = Charset.text(of: bytes, labelled: charset, as: .html)
        // libxml2 takes a NUL for the end; HTML reads it as U+FFFD.
        if text.utf8.contains(0) {
            text = String(String.UnicodeScalarView(text.unicodeScalars.map { $0 == "\0" ? "\u{FFFD}" : $0 }))
        }
        // libxml2 has no document for a page without content, where browsers have an empty one.
        if text.utf8.allSatisfy(\.isMarkupSpace) { text = "<html><head></head><body></body></html>" }

        guard let parser = htmlNewParserCtxt() else { throw .outOfMemory(url) }
        defer { htmlFreeParserCtxt(parser) }
        let options =
            HTML_PARSE_RECOVER.rawValue | HTML_PARSE_NOERROR.rawValue | HTML_PARSE_NOWARNING.rawValue
            | HTML_PARSE_NONET.rawValue | HTML_PARSE_NODEFDTD.rawValue | HTML_PARSE_IGNORE_ENC.rawValue
        let (document, failure) = read(text) { htmlCtxtReadMemory(parser, $0, $1, nil, "UTF-8", Int32(options)) }
        return try keep(document, after: failure, isHTML: true, url: url)
    }

    /// Parses well-formed XML and returns the document's handle.
    ///
    /// Entities declared in the document are expanded within libxml2's limits; nothing outside it is ever read.
    func parseXML(
        _ bytes: UnsafeRawBufferPointer, charset: String?, url: String
    ) throws(DocumentError) -> NodeHandle {
        try begin(bytes, url: url)
        // Blank lines before the XML declaration are a common fault of feeds, which feed readers accept.
        let text = String(Charset.text(of: bytes, labelled: charset, as: .xml).utf8.drop(while: \.isMarkupSpace)) ?? ""
        guard !text.isEmpty else {
            throw DocumentError(.malformed, message: "expected an XML document, found nothing", url: url)
        }

        guard let parser = xmlNewParserCtxt() else { throw .outOfMemory(url) }
        defer { xmlFreeParserCtxt(parser) }
        let options =
            XML_PARSE_NOERROR.rawValue | XML_PARSE_NOWARNING.rawValue | XML_PARSE_NONET.rawValue
            | XML_PARSE_NOENT.rawValue | XML_PARSE_NOCDATA.rawValue | XML_PARSE_IGNORE_ENC.rawValue
        let (document, failure) = read(text) { xmlCtxtReadMemory(parser, $0, $1, nil, "UTF-8", Int32(options)) }
        return try keep(document, after: failure, isHTML: false, url: url)
    }

    /// Parses HTML held in an array.
    func parseHTML(_ bytes: [UInt8], charset: String? = nil, url: String) throws(DocumentError) -> NodeHandle {
        let result = bytes.withUnsafeBytes { bytes in
            Result { () throws(DocumentError) in try parseHTML(bytes, charset: charset, url: url) }
        }
        return try result.get()
    }

    /// Parses XML held in an array.
    func parseXML(_ bytes: [UInt8], charset: String? = nil, url: String) throws(DocumentError) -> NodeHandle {
        let result = bytes.withUnsafeBytes { bytes in
            Result { () throws(DocumentError) in try parseXML(bytes, charset: charset, url: url) }
        }
        return try result.get()
    }

    /// Begins parsing, which few scripts do: a start goes without setting the parser up.
    private func begin(_ bytes: UnsafeRawBufferPointer, url: String) throws(DocumentError) {
        Self.prepare()
        guard bytes.count <= Self.sizeLimit else {
            throw DocumentError(
                .limitExceeded, message: "the document has \(bytes.count) bytes, expected at most \(Self.sizeLimit)",
                url: url)
        }
    }

    /// Runs one of libxml2's two parsers and returns the tree beside the first error that matters.
    private func read(
        _ text: consuming String, parse: (UnsafePointer<CChar>, Int32) -> xmlDocPtr?
    ) -> (xmlDocPtr?, ParseFailure) {
        let failure = ParseFailure()
        return withExtendedLifetime(failure) {
            // Set for the thread: the HTML parser ignores the handler that a parser context may have.
            xmlSetStructuredErrorFunc(Unmanaged.passUnretained(failure).toOpaque()) { ParseFailure.record($1, in: $0) }
            defer { xmlSetStructuredErrorFunc(nil, nil) }
            let document = text.withUTF8 { bytes in
                bytes.withMemoryRebound(to: CChar.self) { bytes in
                    bytes.baseAddress.flatMap { parse($0, Int32(bytes.count)) }
                }
            }
            return (document, failure)
        }
    }

    private func keep(
        _ document: xmlDocPtr?, after failure: ParseFailure, isHTML: Bool, url: String
    ) throws(DocumentError) -> NodeHandle {
        guard let document else { throw failure.error(url: url) }
        let parsed = ParsedDocument(owning: document, isHTML: isHTML, url: url)
        // Broken HTML has errors and a whole tree; what is fatal leaves a tree that ends early.
        if failure.isFatal { throw failure.error(url: url) }
        return try add(parsed)
    }
}

/// The first error of a parse that ends it.
private final class ParseFailure {
    private var code: UInt32 = 0
    private var message = ""
    private var line = 0
    private(set) var isFatal = false

    /// Takes an error from libxml2, whose callback gets the failure as its context.
    static func record(_ error: UnsafePointer<xmlError>?, in failure: UnsafeMutableRawPointer?) {
        guard let error, let failure else { return }
        Unmanaged<ParseFailure>.fromOpaque(failure).takeUnretainedValue().record(error.pointee)
    }

    func error(url: String) -> DocumentError {
        if message.holds("Excessive depth") {
            let message = "elements are nested more than \(DocumentStore.depthLimit) levels deep"
            return DocumentError(.limitExceeded, message: message, url: url, line: line)
        }
        let isLimit = Self.limits.contains { $0.rawValue == code }
        return DocumentError(
            isLimit ? .limitExceeded : .malformed,
            message: message.isEmpty ? "expected a document, found none" : "not well formed: \(message)", url: url,
            line: line > 0 ? line : nil)
    }

    private static let limits = [XML_ERR_INTERNAL_ERROR, XML_ERR_NO_MEMORY, XML_ERR_ENTITY_LOOP]

    private func record(_ error: xmlError) {
        // An error inside HTML is repaired, unless the parser gave up over it; a text that is too long counts as memory.
        guard !isFatal, error.level == XML_ERR_FATAL || error.code == Int32(XML_ERR_NO_MEMORY.rawValue) else { return }
        isFatal = true
        code = UInt32(error.code)
        message = error.message.map { String(cString: $0).asciiTrimmed } ?? ""
        line = Int(error.line)
    }
}

extension DocumentError {
    fileprivate static func outOfMemory(_ url: String) -> DocumentError {
        DocumentError(.limitExceeded, message: "out of memory for a document", url: url)
    }
}
