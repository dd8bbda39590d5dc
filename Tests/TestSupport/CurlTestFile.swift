import Foundation

/// One of curl's test cases, `tests/data/testN`: what the server sends, and what curl makes of it.
package struct CurlTestFile {
    private let text: Data

    /// Reads a case; nil for a file that is none.
    package init?(_ name: String, _ bytes: [UInt8]) {
        guard name.hasPrefix("test"), let number = Int(name.dropFirst(4)) else { return nil }
        text = Self.expanded(bytes, number: number)
    }

    /// Whether the case calls libcurl's functions, and says nothing of `command`.
    package var isOfLibrary: Bool { section("tool") != nil }

    /// The arguments that curl is called with.
    package var command: String { section("command").map { String(decoding: $0.content, as: UTF8.self) } ?? "" }

    /// The exit code that is expected of curl.
    package var errorCode: Int {
        section("errorcode").flatMap { Int(String(decoding: $0.content.filter { $0 > 0x20 }, as: UTF8.self)) } ?? 0
    }

    /// The bytes that the server sends; nil where there are several answers or none.
    package var reply: [UInt8]? { section("data1") == nil && section("connect") == nil ? lines(of: "data") : nil }

    /// The answer as curl writes it.
    package var output: [UInt8]? { lines(of: "datacheck") ?? reply }

    /// A section's lines, with the ends that they have on the wire.
    package func lines(of name: String) -> [UInt8]? {
        guard let section = section(name) else { return nil }
        var lines = section.content.split(separator: 0x0A, omittingEmptySubsequences: false).map(Array.init)
        if lines.last?.isEmpty == true { lines.removeLast() }
        var isHeader = false
        var bytes: [UInt8] = []
        for line in lines {
            let isEmpty = line.isEmpty && isHeader
            isHeader = Self.isHeader(line)
            bytes += line + (section.attributes.contains("crlf=") && (isHeader || isEmpty) ? [0x0D, 0x0A] : [0x0A])
        }
        return section.attributes.contains("nonewline=\"yes\"") ? bytes.dropLast() : bytes
    }

    private static func isHeader(_ line: [UInt8]) -> Bool {
        let text = String(decoding: line, as: UTF8.self)
        return text.hasPrefix("HTTP/") || text.prefixMatch(of: #/[A-Za-z0-9_-]+: /#) != nil
    }

    private func section(_ name: String) -> (attributes: String, content: Data)? {
        var rest = text
        while let open = rest.range(of: Data("<\(name)".utf8)) {
            rest = rest[open.upperBound...]
            guard let next = rest.first, next == UInt8(ascii: ">") || next == 0x20 else { continue }
            guard let end = rest.firstIndex(of: UInt8(ascii: ">")),
                let close = rest[end...].range(of: Data("</\(name)>".utf8))
            else { return nil }
            let content = rest[(end + 1)..<close.lowerBound]
            return (
                String(decoding: rest[..<end], as: UTF8.self), content.first == 0x0A ? content.dropFirst() : content
            )
        }
        return nil
    }

    /// A file's text with its variables replaced.
    private static func expanded(_ bytes: [UInt8], number: Int) -> Data {
        var lines: [ArraySlice<UInt8>] = []
        var conditions: [Bool] = []
        for line in bytes.split(separator: 0x0A, omittingEmptySubsequences: false) {
            if line.starts(with: "%if ".utf8) {
                conditions.append(!line.dropFirst(4).starts(with: "!".utf8))
            } else if line.starts(with: "%else".utf8) {
                if let last = conditions.popLast() { conditions.append(!last) }
            } else if line.starts(with: "%endif".utf8) {
                conditions.removeLast()
            } else if conditions.allSatisfy(\.self) {
                lines.append(line)
            }
        }
        var text = Data(lines.joined(separator: [0x0A]))
        let values = [
            "%TESTNUMBER": "\(number)", "%HOSTIP": "127.0.0.1", "%CR": "\r", "%LF": "\n", "%TAB": "\t", "%SP": " ",
        ]
        for (name, value) in values { replace(name, "", in: &text) { _ in Array(value.utf8) } }
        replace("%hex[", "]hex%", in: &text, by: hexadecimal)
        replace("%repeat[", "]%", in: &text, by: repeated)
        return text
    }

    private static func replace(
        _ open: String, _ close: String, in text: inout Data, by value: (ArraySlice<UInt8>) -> [UInt8]
    ) {
        var done = Data()
        var rest = text[...]
        while let start = rest.range(of: Data(open.utf8)) {
            let behind = rest[start.upperBound...]
            guard let end = close.isEmpty ? start.upperBound..<start.upperBound : behind.range(of: Data(close.utf8))
            else {
                break
            }
            done += rest[..<start.lowerBound]
            done += value(ArraySlice(behind[..<end.lowerBound]))
            rest = rest[end.upperBound...]
        }
        text = done + rest
    }

    private static func hexadecimal(_ text: ArraySlice<UInt8>) -> [UInt8] {
        var bytes: [UInt8] = []
        var rest = text
        while let first = rest.first {
            let digits = String(decoding: rest.dropFirst().prefix(2), as: UTF8.self)
            if first == UInt8(ascii: "%"), let byte = UInt8(digits, radix: 16) {
                bytes.append(byte)
                rest = rest.dropFirst(3)
            } else {
                bytes.append(first)
                rest = rest.dropFirst()
            }
        }
        return bytes
    }

    /// `20 x text`.
    private static func repeated(_ text: ArraySlice<UInt8>) -> [UInt8] {
        guard let mark = text.firstRange(of: Array(" x ".utf8)),
            let count = Int(String(decoding: text[..<mark.lowerBound], as: UTF8.self))
        else { return [] }
        return Array(repeatElement(hexadecimal(text[mark.upperBound...]), count: count).joined())
    }
}
