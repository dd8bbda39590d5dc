import HTTPTypes
import ProviderModel

/// Parses the head of a response from the header lines that libcurl delivers one by one.
struct ResponseHeadParser {
    /// The result of a line.
    enum Progress: Equatable {
        case more
        case complete
        case tooLarge
    }

    /// The maximum number of fields; `HTTPFields` takes at most 65,534.
    private static let fieldLimit = 10_000
    /// The fields about the bytes as they were sent; digests, too, are of those (RFC 9530 §3, RFC 1864).
    private static let namesOfEncoding: [HTTPField.Name] =
        [.contentEncoding, .contentLength]
        + ["Content-MD5", "Content-Digest", "Repr-Digest", "Digest"].compactMap { HTTPField.Name($0) }

    private let limit: Int
    private let decoding: DecodingPolicy
    private var size = 0
    private var lineCount = 0
    private var isComplete = false
    private var status = 0
    private var version = ""
    private var fields = HTTPFields()
    /// Whether the last line is among the fields; others cannot be continued either.
    private var isLastLineKept = false

    /// A parser that refuses a head of more than `limit` bytes.
    init(limit: Int, decoding: DecodingPolicy) {
        self.limit = limit
        self.decoding = decoding
    }

    /// The head, once it is complete.
    var head: ResponseHead {
        var headers = fields
        // These describe the encoded body; a head with contradictory framing is an error elsewhere.
        if headers.contains(.contentEncoding), (try? framing())?.coding != nil {
            for name in Self.namesOfEncoding { headers[name] = nil }
        }
        return ResponseHead(status: status, headers: headers, version: version)
    }

    /// What the head says about the body.
    func framing() throws(FramingFault) -> BodyFraming {
        // RFC 9110 §6.4.1: these have none, whatever they say.
        if status == 204 || status == 304 { return .empty }
        return try BodyFraming(fields, status: status, decoding: decoding)
    }

    /// Takes one line with its line end.
    mutating func take(_ bytes: UnsafeRawBufferPointer) -> Progress {
        size += bytes.count
        guard size <= limit, lineCount < Self.fieldLimit else { return .tooLarge }
        guard !isComplete else { return .more }  // trailers: nothing here reads them
        // RFC 9112 §2.2: a CR within a line is a space, which `HTTPField` makes of it.
        let line = bytes.prefix((bytes.lastIndex { $0 != 0x0d && $0 != 0x0a } ?? -1) + 1)
        if line.isEmpty { return endOfHead() }
        if line.starts(with: "HTTP/".utf8), !line.contains(.colon) || status == 0 && lineCount == 0 {
            beginHead(line)
        } else {
            lineCount += 1
            takeField(line)
        }
        return .more
    }

    /// The bytes of a line, without its end.
    private typealias Line = Slice<UnsafeRawBufferPointer>

    private mutating func beginHead(_ line: Line) {
        let words = line.split(separator: 0x20, maxSplits: 2)
        version = String(decoding: words[0].dropFirst("HTTP/".utf8.count), as: UTF8.self)
        status = words.count > 1 ? Int(String(decoding: words[1], as: UTF8.self)) ?? 0 : 0
        fields = HTTPFields()
        (lineCount, isLastLineKept) = (0, false)
    }

    private mutating func takeField(_ line: Line) {
        // RFC 9112 §5.2: a line that begins with white space continues the one before.
        if line.first == 0x20 || line.first == 0x09 {
            guard isLastLineKept, let last = fields.indices.last else { return }
            fields[last].value += " " + Self.text(Self.trimmed(line))
            return
        }
        isLastLineKept = false
        // A name that is not a token (RFC 9110 §5.6.2) cannot be looked up.
        guard let colon = line.firstIndex(of: .colon),
            let name = HTTPField.Name(String(decoding: line[..<colon], as: UTF8.self))
        else { return }
        let value = Self.trimmed(line[(colon + 1)...])
        fields.append(
            HTTPField(name: name, value: Self.addressNames.contains(name) ? Self.encoded(value) : Self.text(value)))
        isLastLineKept = true
    }

    /// Without spaces and tabs at its ends (RFC 9110 §5.6.3).
    private static func trimmed(_ bytes: Line) -> Line {
        let isBlank = { (byte: UInt8) in byte == 0x20 || byte == 0x09 }
        let start = bytes.drop(while: isBlank)
        guard let end = start.lastIndex(where: { !isBlank($0) }) else { return start.prefix(0) }
        return start[...end]
    }

    /// UTF-8, else ISO-8859-1, in which HTTP once was (RFC 9110 §5.5).
    private static func text(_ bytes: Line) -> String {
        String(validating: bytes, as: UTF8.self) ?? String(String.UnicodeScalarView(bytes.map { Unicode.Scalar($0) }))
    }

    /// The fields whose value is a URL.
    private static let addressNames: [HTTPField.Name] = [.location, .contentLocation]

    /// A URL with the bytes that came, whatever charset they are of.
    private static func encoded(_ bytes: Line) -> String {
        guard bytes.contains(where: { $0 >= 0x80 }) else { return text(bytes) }
        return bytes.map { $0 < 0x80 ? String(UnicodeScalar($0)) : "%" + [$0].hexadecimal.uppercased() }.joined()
    }

    /// RFC 9110 §15.2: 1xx responses come before the one that counts.
    private mutating func endOfHead() -> Progress {
        guard status >= 200 else { return .more }
        isComplete = true
        return .complete
    }
}

extension UInt8 {
    fileprivate static let colon = UInt8(ascii: ":")
}
