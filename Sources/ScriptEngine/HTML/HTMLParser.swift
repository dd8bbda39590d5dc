import CLibXML2
import Glibc

/// Reads pages as browsers do, into trees of libxml2's.
enum HTMLParser {
    /// Returns the tree of a page, which the caller frees.
    static func tree(of text: consuming String) throws(HTMLTreeBuilder.Failure) -> xmlDocPtr {
        guard let document = xmlNewDoc("1.0") else { throw .memory }
        // Frees itself with the document.
        document.pointee.dict = xmlDictCreate()
        let failure = withNormalizedLineEnds(text) { build(document, of: $0) }
        if let failure {
            xmlFreeDoc(document)
            throw failure
        }
        return document
    }

    private static func build(_ document: xmlDocPtr, of input: UnsafeBufferPointer<UInt8>) -> HTMLTreeBuilder.Failure? {
        guard let dictionary = document.pointee.dict else { return .memory }
        let names = NameTable(dictionary: dictionary)
        guard let builder = HTMLTreeBuilder(document, names: names, input: input) else { return .memory }
        defer { document.pointee.type = XML_HTML_DOCUMENT_NODE }
        var tokenizer = HTMLTokenizer(input, names: names, sink: builder)
        tokenizer.run()
        tokenizer.sink.close()
        if let failure = tokenizer.sink.failure { return failure }
        // Wrongly nested formatting makes trees that are deeper than the stack ever was.
        return tokenizer.sink.documentNode.isDeeper(than: DocumentStore.depthLimit) ? .depth : nil
    }

    /// Calls `body` with a text's bytes, whose line ends are `\n` alone.
    private static func withNormalizedLineEnds<Result>(
        _ text: consuming String, _ body: (UnsafeBufferPointer<UInt8>) -> Result
    ) -> Result {
        var text = text
        let hasReturns = text.withUTF8 { bytes in
            bytes.baseAddress.map { memchr($0, Int32(UInt8(ascii: "\r")), bytes.count) != nil } ?? false
        }
        guard hasReturns else { return text.withUTF8(body) }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.utf8.count)
        var follows = false
        for byte in text.utf8 {
            if !(follows && byte == UInt8(ascii: "\n")) { bytes.append(byte == UInt8(ascii: "\r") ? 0x0A : byte) }
            follows = byte == UInt8(ascii: "\r")
        }
        return bytes.withUnsafeBufferPointer(body)
    }
}

extension UnsafeMutablePointer where Pointee == xmlNode {
    /// Whether a node below this one is more than so many levels down.
    fileprivate func isDeeper(than limit: Int) -> Bool {
        var depth = 0
        var deepest = 0
        walk { visit, _ in
            depth += visit == .entering ? 1 : -1
            deepest = max(deepest, depth)
        }
        // The document itself, and text in the deepest element.
        return deepest > limit + 2
    }
}
