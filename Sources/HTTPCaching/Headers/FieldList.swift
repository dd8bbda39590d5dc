import HTTPTransport

/// Lists in header lines (RFC 9110 §5.6.1).
enum FieldList {
    /// The members of all lines together, without the white space around them; commas in quotes separate nothing.
    static func members(of lines: [String]) -> [String] {
        var members: [String] = []
        for line in lines { members += split(line) }
        return members
    }

    /// The text inside a quoted string (RFC 9110 §5.6.4); nil when the text is none.
    static func unquoted(_ text: String) -> String? {
        guard text.utf8.count >= 2, text.hasPrefix("\""), text.hasSuffix("\"") else { return nil }
        var result: [UInt8] = []
        var isEscaped = false
        for byte in text.utf8.dropFirst().dropLast() {
            if !isEscaped, byte == UInt8(ascii: "\\") {
                isEscaped = true
                continue
            }
            if !isEscaped, byte == UInt8(ascii: "\"") { return nil }
            isEscaped = false
            result.append(byte)
        }
        return isEscaped ? nil : String(decoding: result, as: UTF8.self)
    }

    private static func split(_ line: String) -> [String] {
        guard line.utf8.contains(where: { $0 == UInt8(ascii: ",") }) else {
            let member = line.trimmingWhitespace
            return member.isEmpty ? [] : [member]
        }
        var members: [String] = []
        var current: [UInt8] = []
        var isQuoted = false
        var isEscaped = false
        for byte in line.utf8 {
            if byte == UInt8(ascii: ","), !isQuoted {
                members.append(String(decoding: current, as: UTF8.self).trimmingWhitespace)
                current = []
                continue
            }
            if byte == UInt8(ascii: "\""), !isEscaped { isQuoted.toggle() }
            isEscaped = isQuoted && byte == UInt8(ascii: "\\") && !isEscaped
            current.append(byte)
        }
        members.append(String(decoding: current, as: UTF8.self).trimmingWhitespace)
        return members.filter { !$0.isEmpty }
    }
}
