import Glibc
import HTTPTypes

/// Puts an answer's head together from the header lines libcurl hands over one by one.
struct ResponseHeadParser {
    /// What a line did.
    enum Progress: Equatable {
        case more
        case complete
        case tooLarge
    }

    /// Far more than anyone sends; `HTTPFields` takes no more than 65,534.
    private static let fieldLimit = 10_000

    private let limit: Int
    private let isDecoding: Bool
    private var size = 0
    private var isComplete = false
    private var status = 0
    private var fields: [HTTPField] = []
    /// Whether the last line is among the fields; others cannot be continued either.
    private var isLastKept = false

    /// `isDecoding` says whether a packed body is unpacked.
    init(limit: Int, isDecoding: Bool) {
        self.limit = limit
        self.isDecoding = isDecoding
    }

    /// The head so far.
    var head: ResponseHead {
        var headers = HTTPFields()
        // One by one they would cost more than reading them has.
        headers.replaceSubrange(0..<0, with: fields)
        // What described the compressed body would mislead; a head that contradicts itself goes no further anyway.
        if isDecoding, (try? framing())?.coding != nil {
            headers[.contentEncoding] = nil
            headers[.contentLength] = nil
        }
        return ResponseHead(status: status, headers: headers)
    }

    /// What the head says about a body.
    func framing() throws(FramingFault) -> BodyFraming {
        // RFC 9110 §6.4.1: these have none, whatever they say.
        if status == 204 || status == 304 { return .empty }
        return try BodyFraming(
            lengths: values(of: .contentLength), transferCodings: values(of: .transferEncoding),
            contentCodings: values(of: .contentEncoding), isDecoding: isDecoding)
    }

    /// Takes one line with its line end.
    mutating func take(_ bytes: UnsafeRawBufferPointer) -> Progress {
        size += bytes.count
        guard size <= limit, fields.count < Self.fieldLimit else { return .tooLarge }
        guard !isComplete else { return .more }  // trailers: nothing here reads them
        let line = Self.withoutEnd(bytes)
        if line.isEmpty { return endOfBlock() }
        if line.starts(with: "HTTP/"), !line.contains(.colon) || status == 0 && fields.isEmpty {
            begin(line)
        } else {
            append(line)
        }
        return .more
    }

    private mutating func begin(_ line: UnsafeRawBufferPointer) {
        let rest = line.drop { $0 != .space }.drop { $0 == .space }
        let code = UnsafeRawBufferPointer(rebasing: rest.prefix { $0 != .space })
        status = Int(String(decoding: code, as: UTF8.self)) ?? 0
        fields = []
        isLastKept = false
    }

    private func values(of name: HTTPField.Name) -> [String] {
        fields.lazy.filter { $0.name == name }.map(\.value)
    }

    private mutating func append(_ line: UnsafeRawBufferPointer) {
        // RFC 9112 §5.2: a line that begins with white space continues the one before.
        if line[0] == .space || line[0] == .tab {
            if isLastKept { fields[fields.count - 1].value += " " + Self.trimmed(line) }
            return
        }
        guard let colon = line.firstIndex(of: .colon) else { return }
        // A name that is no token cannot be asked for by anyone.
        let name = HTTPField.Name(String(decoding: UnsafeRawBufferPointer(rebasing: line[..<colon]), as: UTF8.self))
        isLastKept = name != nil
        guard let name else { return }
        let value = Self.trimmed(UnsafeRawBufferPointer(rebasing: line[(colon + 1)...]))
        fields.append(HTTPField(name: name, value: value))
    }

    /// RFC 9110 §15.2: 1xx answers come before the one that counts.
    private mutating func endOfBlock() -> Progress {
        guard status >= 200 else { return .more }
        isComplete = true
        return .complete
    }

    private static func withoutEnd(_ line: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer {
        var end = 0
        while end < line.count, line[end] != 0x0d, line[end] != 0x0a { end += 1 }
        return UnsafeRawBufferPointer(rebasing: line[..<end])
    }

    private static func trimmed(_ bytes: UnsafeRawBufferPointer) -> String {
        var (start, end) = (0, bytes.count)
        while start < end, bytes[start] == .space || bytes[start] == .tab { start += 1 }
        while end > start, bytes[end - 1] == .space || bytes[end - 1] == .tab { end -= 1 }
        return String(decoding: UnsafeRawBufferPointer(rebasing: bytes[start..<end]), as: UTF8.self)
    }
}

extension UInt8 {
    fileprivate static let space = UInt8(ascii: " ")
    fileprivate static let tab = UInt8(ascii: "\t")
    fileprivate static let colon = UInt8(ascii: ":")
}

extension UnsafeRawBufferPointer {
    fileprivate func starts(with text: StaticString) -> Bool {
        count >= text.utf8CodeUnitCount && memcmp(baseAddress!, text.utf8Start, text.utf8CodeUnitCount) == 0
    }
}
