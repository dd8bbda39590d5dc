import CLibXML2

extension DocumentStore {
    /// Parses HTML as browsers do, and returns the document's handle.
    func parseHTML(
        _ bytes: UnsafeRawBufferPointer, charset: String?, url: String
    ) throws(DocumentError) -> NodeHandle {
        try begin(bytes, url: url)
        let tree: xmlDocPtr
        do throws(HTMLTreeBuilder.Failure) {
            tree = try HTMLParser.tree(of: Charset.text(of: bytes, labelled: charset, as: .html))
        } catch {
            throw error == .depth ? .tooDeep(url) : .outOfMemory(url)
        }
        return try add(ParsedDocument(owning: tree, isHTML: true, url: url))
    }

    /// Parses XML and returns the document's handle; what is not well formed is read on behind the fault, which is noted.
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
        do throws(DocumentError) { return try parse(text, url: url) } catch {
            guard error.code == .malformed, let repaired = repaired(text, url: url) else { throw error }
            repairs.append(error)
            return repaired
        }
    }

    /// Reads a text that is not well formed; nil where nothing of it is worth reading.
    private func repaired(_ text: String, url: String) -> NodeHandle? {
        let repaired = XMLRepair.repaired(text)
        // The first error has been reported already.
        return try? parse(repaired, recovering: true, url: url)
    }

    private func parse(_ text: String, recovering: Bool = false, url: String) throws(DocumentError) -> NodeHandle {
        guard let parser = xmlNewParserCtxt() else { throw .outOfMemory(url) }
        defer { xmlFreeParserCtxt(parser) }
        let recovery: UInt32 = recovering ? XML_PARSE_RECOVER.rawValue : 0
        let options =
            XML_PARSE_NOERROR.rawValue | XML_PARSE_NOWARNING.rawValue | XML_PARSE_NONET.rawValue
            | XML_PARSE_NOENT.rawValue | XML_PARSE_NOCDATA.rawValue | XML_PARSE_IGNORE_ENC.rawValue
            | recovery
        let (document, failure) = read(text) { xmlCtxtReadMemory(parser, $0, $1, nil, "UTF-8", Int32(options)) }
        guard let document else { throw failure.error(url: url) }
        let parsed = ParsedDocument(owning: document, isHTML: false, url: url)
        if recovering {
            guard !failure.isFatal || failure.isRecoverable, document.hasContentOfXML else {
                throw failure.error(url: url)
            }
        } else if failure.isFatal {
            throw failure.error(url: url)
        }
        return try add(parsed)
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

    /// Runs libxml2's parser and returns the tree beside the first error that matters.
    private func read(
        _ text: consuming String, parse: (UnsafePointer<CChar>, Int32) -> xmlDocPtr?
    ) -> (xmlDocPtr?, ParseFailure) {
        let failure = ParseFailure()
        return withExtendedLifetime(failure) {
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
}

/// The first error of a parse that ends it.
private final class ParseFailure {
    private var message = ""
    private var line = 0
    private(set) var isFatal = false

    /// Takes an error from libxml2, whose callback gets the failure as its context.
    static func record(_ error: UnsafePointer<xmlError>?, in failure: UnsafeMutableRawPointer?) {
        guard let error, let failure else { return }
        Unmanaged<ParseFailure>.fromOpaque(failure).takeUnretainedValue().record(error.pointee)
    }

    func error(url: String) -> DocumentError {
        if message.holds("Excessive depth") { return .tooDeep(url, line: line) }
        return DocumentError(
            hasReachedLimit ? .limitExceeded : .malformed,
            message: message.isEmpty ? "expected a document, found none" : "not well formed: \(message)", url: url,
            line: line > 0 ? line : nil)
    }

    /// Whether what stands behind the error can be read.
    var isRecoverable: Bool { !hasReachedLimit }

    private var hasReachedLimit = false

    private static let limits = [XML_ERR_INTERNAL_ERROR, XML_ERR_NO_MEMORY, XML_ERR_ENTITY_LOOP]

    private func record(_ error: xmlError) {
        // A text that is too long counts as memory.
        guard error.level == XML_ERR_FATAL || error.code == Int32(XML_ERR_NO_MEMORY.rawValue) else { return }
        let isLimit = Self.limits.contains { $0.rawValue == UInt32(error.code) }
        // Of several errors the first counts, unless a limit ends the parse.
        guard !isFatal || isLimit && !hasReachedLimit else { return }
        (isFatal, hasReachedLimit) = (true, isLimit)
        message = error.message.map { String(cString: $0).asciiTrimmed } ?? ""
        line = Int(error.line)
    }
}

extension UnsafeMutablePointer where Pointee == xmlDoc {
    /// Whether a document that was read behind an error holds something, and is no web page, which other rules hold for.
    fileprivate var hasContentOfXML: Bool {
        guard let root = xmlDocGetRootElement(self), root.pointee.children != nil else { return false }
        return String(xml: root.pointee.name)?.lowercased() != "html"
    }
}

extension DocumentError {
    fileprivate static func tooDeep(_ url: String, line: Int? = nil) -> DocumentError {
        let message = "elements are nested more than \(DocumentStore.depthLimit) levels deep"
        return DocumentError(.limitExceeded, message: message, url: url, line: line)
    }

    fileprivate static func outOfMemory(_ url: String) -> DocumentError {
        DocumentError(.limitExceeded, message: "out of memory for a document", url: url)
    }
}
