import CLibXML2
import Foundation
import ProviderModel
import TestSupport
import Testing

@testable import ScriptEngine

/// html5lib's tests of trees and tokens, to which browsers are held, too.
@Suite(.enabled(if: StandardSuite.folder != nil, "IMGSCRIPT_SUITES names no folder of suites"))
struct HTMLStandardSuite {
    private static let folder = "html5lib+html5lib-tests"

    @Test func trees() throws {
        var suite = StandardSuite("html5lib-tests, tree construction", against: "`res.html`")
        let files = try suite.files(in: "\(Self.folder)/tree-construction").filter { $0.hasSuffix(".dat") }
        for file in files {
            for test in HTMLTreeCase.all(in: try suite.text(of: "\(Self.folder)/tree-construction/\(file)")) {
                // A script asks for pages, not for parts of one as `innerHTML` reads them.
                guard !test.isFragment else { continue }
                let tree = try HTMLTreeText(of: test.page).lines
                suite.note(tree == test.tree, "\(file): \(test.page)", exception: test.exception)
            }
        }
        #expect(suite.faults == [])
    }

    @Test func tokens() throws {
        var suite = StandardSuite("html5lib-tests, tokens and references", against: "`res.html`, `decodeEntities`")
        let files = try suite.files(in: "\(Self.folder)/tokenizer").filter { $0.hasSuffix(".test") }
        for file in files where !file.hasPrefix("xmlViolation") {
            for test in try HTMLTokenCase.all(in: suite.bytes(of: "\(Self.folder)/tokenizer/\(file)")) {
                suite.note(
                    test.isRead, "\(file): \(test.name)",
                    exception: test.hasLoneSurrogate ? "half of a character, which no page in UTF-8 can hold" : nil)
            }
        }
        #expect(suite.faults == [])
    }
}

/// One case of tree construction.
private struct HTMLTreeCase {
    let page: String
    let tree: [String]
    let isFragment: Bool
    let needsScripts: Bool

    static func all(in text: String) -> [HTMLTreeCase] {
        var cases: [[String: [String]]] = []
        var section = ""
        for line in text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init) {
            if line == "#data" { cases.append([:]) }
            let names = [
                "#data", "#errors", "#new-errors", "#document-fragment", "#document", "#script-on", "#script-off",
            ]
            if names.contains(line) {
                section = line
                cases[cases.count - 1][section] = []
            } else if !cases.isEmpty {
                cases[cases.count - 1][section]?.append(line)
            }
        }
        return cases.map { parts in
            var tree = parts["#document"] ?? []
            while tree.last == "" { tree.removeLast() }
            return HTMLTreeCase(
                page: (parts["#data"] ?? []).joined(separator: "\n"), tree: tree,
                isFragment: parts["#document-fragment"] != nil, needsScripts: parts["#script-on"] != nil)
        }
    }

    var exception: String? {
        if needsScripts { return "scripts are off, so that `noscript` is read" }
        return page.contains("<selectedcontent>")
            ? "the copy of an option in `selectedcontent`, which is made when it is shown" : nil
    }
}

/// A page's tree as html5lib writes it.
private struct HTMLTreeText {
    private(set) var lines: [String] = []

    init(of page: String) throws {
        let document = try HTMLParser.tree(of: page)
        defer { xmlFreeDoc(document) }
        write(UnsafeMutableRawPointer(document).assumingMemoryBound(to: xmlNode.self), 0)
        // A text of several lines is one node.
        lines = lines.joined(separator: "\n").split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    }

    private mutating func write(_ node: xmlNodePtr, _ depth: Int) {
        let indent = "|" + String(repeating: " ", count: depth * 2 + 1)
        var inner = node.nodeType == .document ? depth : depth + 1
        switch node.pointee.type {
        case XML_ELEMENT_NODE:
            let name = String(xml: node.pointee.name) ?? ""
            let prefix = node.htmlNamespace == .svg ? "svg " : node.htmlNamespace == .mathML ? "math " : ""
            lines.append("\(indent)<\(prefix)\(name)>")
            let attributes = node.attributes.map { "\(Self.name(of: $0, in: node.htmlNamespace))=\"\($0.text)\"" }
            for attribute in attributes.sorted(by: { Array($0.utf16).lexicographicallyPrecedes(Array($1.utf16)) }) {
                lines.append("\(indent)  \(attribute)")
            }
            if name == "template", node.htmlNamespace == .html {
                lines.append("\(indent)  content")
                inner += 1
            }
        case XML_TEXT_NODE: lines.append("\(indent)\"\(String(xml: node.pointee.content) ?? "")\"")
        case XML_COMMENT_NODE: lines.append("\(indent)<!-- \(String(xml: node.pointee.content) ?? "") -->")
        case XML_DTD_NODE: return writeDoctype(node, indent)
        default: break
        }
        var child = node.firstInside
        while let current = child {
            write(current, inner)
            child = current.pointee.next
        }
    }

    private mutating func writeDoctype(_ node: xmlNodePtr, _ indent: String) {
        let type = UnsafeMutableRawPointer(node).assumingMemoryBound(to: xmlDtd.self).pointee
        let (publicID, systemID) = (String(xml: type.ExternalID), String(xml: type.SystemID))
        let ids = publicID == nil && systemID == nil ? "" : " \"\(publicID ?? "")\" \"\(systemID ?? "")\""
        lines.append("\(indent)<!DOCTYPE \(String(xml: type.name) ?? "")\(ids)>")
    }

    /// Attributes of SVG with a prefix are in a namespace, which the tree keeps in the name alone.
    private static func name(of attribute: xmlNodePtr, in namespace: HTMLNamespace) -> String {
        let name = String(xml: attribute.pointee.name) ?? ""
        let inNamespace =
            name.hasPrefix("xlink:") && name != "xlink:owner" || name == "xml:lang" || name == "xml:space"
            || name == "xmlns:xlink"
        return namespace != .html && inNamespace ? name.replacing(":", with: " ", maxReplacements: 1) : name
    }
}

/// One case of the tokenizer.
private struct HTMLTokenCase {
    let name: String
    let input: String
    let output: [String]
    let states: [String]
    let lastStartTag: String?
    let hasLoneSurrogate: Bool

    static func all(in file: [UInt8]) throws -> [HTMLTokenCase] {
        let object = try JSONSerialization.jsonObject(with: Data(file)) as? [String: Any]
        return (object?["tests"] as? [[String: Any]] ?? []).map { test in
            let isEscaped = test["doubleEscaped"] as? Bool == true
            var hasLoneSurrogate = false
            func text(_ value: Any?) -> String {
                let text = value as? String ?? ""
                guard isEscaped else { return text }
                return Self.unescaped(text, &hasLoneSurrogate)
            }
            var output: [String] = []
            for token in test["output"] as? [[Any]] ?? [] {
                HTMLTokenLog.append(Self.line(token, text), to: &output)
            }
            return HTMLTokenCase(
                name: test["description"] as? String ?? "", input: text(test["input"]), output: output,
                states: test["initialStates"] as? [String] ?? ["Data state"],
                lastStartTag: test["lastStartTag"] as? String, hasLoneSurrogate: hasLoneSurrogate)
        }
    }

    private static func line(_ token: [Any], _ text: (Any?) -> String) -> String {
        switch token[0] as? String {
        case "DOCTYPE":
            let parts = token[1...3].map { $0 is NSNull ? "-" : "'\(text($0))'" }
            return "DOCTYPE \(parts.joined(separator: " ")) \(token[4] as? Bool == true)"
        case "StartTag":
            let attributes = (token[2] as? [String: Any] ?? [:]).map { "\(text($0.key))='\(text($0.value))'" }.sorted()
            let isClosing = token.count > 3 && token[3] as? Bool == true
            return "StartTag \(text(token[1])) \(attributes.joined(separator: " ")) \(isClosing)"
        case let kind?: return "\(kind) \(text(token[1]))"
        case nil: return ""
        }
    }

    private static func unescaped(_ text: String, _ hasLoneSurrogate: inout Bool) -> String {
        var units: [UInt16] = []
        var rest = Array(text.utf16)[...]
        while let unit = rest.popFirst() {
            if unit == 0x5C, rest.first == 0x75,
                let code = UInt16(String(decoding: rest.dropFirst().prefix(4), as: UTF16.self), radix: 16)
            {
                units.append(code)
                rest = rest.dropFirst(5)
            } else {
                units.append(unit)
            }
        }
        let decoded = String(decoding: units, as: UTF16.self)
        hasLoneSurrogate = hasLoneSurrogate || !Array(decoded.utf16).elementsEqual(units)
        return decoded
    }

    /// Whether the tokens are those of the case, in all states that it names.
    var isRead: Bool {
        states.allSatisfy { state in
            guard let content = Self.contents[state] else { return true }
            return Self.tokens(of: input, content, lastStartTag) == output
        }
    }

    private static let contents: [String: HTMLTextContent?] = [
        "Data state": .data, "RCDATA state": .escapableText, "RAWTEXT state": .rawText, "Script data state": .script,
        "PLAINTEXT state": .plainText, "CDATA section state": nil,
    ]

    private static func tokens(of page: String, _ content: HTMLTextContent?, _ lastStartTag: String?) -> [String] {
        guard let dictionary = xmlDictCreate() else { return [] }
        defer { xmlDictFree(dictionary) }
        let names = NameTable(dictionary: dictionary)
        var last = lastStartTag ?? ""
        let tag = last.withUTF8 { names.tag($0) }
        var text = (content == nil ? "<![CDATA[" : "") + page.replacing("\r\n", with: "\n").replacing("\r", with: "\n")
        return text.withUTF8 { input in
            var tokenizer = HTMLTokenizer(
                input, names: names, sink: HTMLTokenLog(allowsCDATA: content == nil), content: content ?? .data,
                lastStartTag: lastStartTag == nil ? nil : tag)
            tokenizer.run()
            return tokenizer.sink.lines
        }
    }
}

/// The tokens of a page, each as a line.
private struct HTMLTokenLog: HTMLTokenSink {
    var allowsCDATA = false
    let hasFailed = false
    private(set) var lines: [String] = []
    private var text: [UInt8] = []

    init(allowsCDATA: Bool) { self.allowsCDATA = allowsCDATA }

    /// Adds a line; text behind text belongs to it.
    static func append(_ line: String, to lines: inout [String]) {
        if line.hasPrefix("Character "), let last = lines.last, last.hasPrefix("Character ") {
            lines[lines.count - 1] = last + line.dropFirst(10)
        } else {
            lines.append(line)
        }
    }

    private mutating func add(_ line: String) {
        flush()
        lines.append(line)
    }

    private mutating func flush() {
        if !text.isEmpty { lines.append("Character \(String(decoding: text, as: UTF8.self))") }
        text = []
    }

    mutating func doctype(_ doctype: HTMLDoctype) {
        let parts = [doctype.name, doctype.publicID, doctype.systemID].map { part in
            part.map { "'\(String(decoding: $0, as: UTF8.self))'" } ?? "-"
        }
        add("DOCTYPE \(parts.joined(separator: " ")) \(!doctype.forcesQuirks)")
    }

    mutating func startTag(_ tag: HTMLStartTag) -> HTMLTextContent {
        let attributes = tag.attributes.map { attribute in
            let value = attribute.withValue { String(decoding: $0, as: UTF8.self) }
            return "\(String(xml: attribute.name) ?? "")='\(value)'"
        }
        add(
            "StartTag \(String(xml: tag.tag.name) ?? "") \(attributes.sorted().joined(separator: " ")) \(tag.isSelfClosing)"
        )
        return .data
    }

    mutating func endTag(_ tag: HTMLTag) { add("EndTag \(String(xml: tag.name) ?? "")") }

    mutating func comment(_ text: [UInt8]) { add("Comment \(String(decoding: text, as: UTF8.self))") }

    mutating func characters(_ bytes: UnsafeBufferPointer<UInt8>) { text += bytes }

    mutating func end() { flush() }
}
