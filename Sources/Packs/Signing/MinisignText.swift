import FoundationEssentials

/// The lines of minisign's files: comments, and bytes in base64.
struct MinisignText {
    private var lines: ArraySlice<Substring>
    /// What the text is meant to be, for error messages.
    private let what: String
    private let code: PackError.Code

    static let untrusted = "untrusted comment: "
    static let trusted = "trusted comment: "
    /// Longer comments are refused by minisign too.
    static let maximumCommentLength = 8_192

    init(_ text: String, what: String, code: PackError.Code) {
        lines = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)[...]
        while lines.last?.allSatisfy(\.isWhitespace) == true { lines.removeLast() }
        self.what = what
        self.code = code
    }

    /// Whether nothing is left.
    var isAtEnd: Bool { lines.isEmpty }

    /// The comment of the next line.
    mutating func comment(_ prefix: String) throws(PackError) -> String {
        guard let line = lines.popFirst(), line.hasPrefix(prefix.dropLast()) else {
            throw damaged("a line \"\(prefix)…\" is missing")
        }
        guard line.utf8.count <= Self.maximumCommentLength else { throw damaged("a comment is too long") }
        return String(line.dropFirst(prefix.count))
    }

    /// The bytes of the next line.
    mutating func bytes(_ count: Int) throws(PackError) -> [UInt8] {
        let line = lines.popFirst() ?? ""
        guard let data = Data(base64Encoded: String(line)) else { throw damaged("a line is not base64") }
        guard data.count == count else { throw damaged("a line has \(data.count) bytes (expected \(count))") }
        return Array(data)
    }

    func damaged(_ reason: String) -> PackError {
        PackError(code, "not a valid minisign \(what): \(reason)")
    }

    static func base64(_ bytes: [UInt8]) -> String { Data(bytes).base64EncodedString() }
}

/// The number that names a key, chosen at random when the key is made.
package struct SigningKeyID: Hashable, Sendable, CustomStringConvertible {
    /// Its eight bytes as they stand in keys and signatures.
    let bytes: [UInt8]

    static let size = 8

    init(_ bytes: some Sequence<UInt8>) { self.bytes = Array(bytes) }

    /// The number as minisign prints it, without zeros in front: `5F3A81C02D9E4B76`.
    package var description: String {
        String(bytes.reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) }, radix: 16, uppercase: true)
    }
}
