import HTTPTypes

/// Puts an answer's head together from the header lines libcurl hands over one by one.
struct ResponseHeadParser {
    /// What a line did.
    enum Progress: Equatable {
        case more
        case complete
        case tooLarge
    }

    private let limit: Int
    private let isDecoding: Bool
    private var size = 0
    private var isComplete = false
    private var status = 0
    private var lines: [(name: String, value: String)] = []

    /// `isDecoding` says whether a packed body is unpacked.
    init(limit: Int, isDecoding: Bool) {
        self.limit = limit
        self.isDecoding = isDecoding
    }

    /// The head so far.
    var head: ResponseHead {
        var fields = HTTPFields()
        for line in lines {
            // A name that is no token cannot be asked for by anyone.
            guard let name = HTTPField.Name(line.name) else { continue }
            fields.append(HTTPField(name: name, value: line.value))
        }
        // What described the compressed body would mislead; a head that contradicts itself goes no further anyway.
        if isDecoding, (try? framing())?.coding != nil {
            fields[.contentEncoding] = nil
            fields[.contentLength] = nil
        }
        return ResponseHead(status: status, headers: fields)
    }

    /// What the head says about a body.
    func framing() throws(FramingFault) -> BodyFraming {
        // RFC 9110 §6.4.1: these have none, whatever they say.
        if status == 204 || status == 304 { return .empty }
        return try BodyFraming(
            lengths: values(of: "content-length"), transferCodings: values(of: "transfer-encoding"),
            contentCodings: values(of: "content-encoding"), isDecoding: isDecoding)
    }

    /// Takes one line with its line end.
    mutating func take(_ bytes: UnsafeRawBufferPointer) -> Progress {
        size += bytes.count
        guard size <= limit else { return .tooLarge }
        guard !isComplete else { return .more }  // trailers: nothing here reads them
        let line = bytes.prefix { $0 != 0x0d && $0 != 0x0a }
        if line.isEmpty { return endOfBlock() }
        if line.starts(with: "HTTP/".utf8), !line.contains(UInt8(ascii: ":")) || lines.isEmpty && status == 0 {
            begin(line)
        } else {
            append(line)
        }
        return .more
    }

    private func values(of name: String) -> [String] {
        lines.filter { $0.name.utf8.count == name.utf8.count && $0.name.lowercased() == name }.map(\.value)
    }

    private mutating func begin(_ line: Slice<UnsafeRawBufferPointer>) {
        let parts = line.split(separator: 0x20, maxSplits: 2)
        status = parts.count > 1 ? Int(String(decoding: parts[1], as: UTF8.self)) ?? 0 : 0
        lines = []
    }

    private mutating func append(_ line: Slice<UnsafeRawBufferPointer>) {
        // RFC 9112 §5.2: a line that begins with white space continues the one before.
        if line.first == 0x20 || line.first == 0x09 {
            guard !lines.isEmpty else { return }
            lines[lines.count - 1].value += " " + Self.trimmed(line)
            return
        }
        guard let colon = line.firstIndex(of: UInt8(ascii: ":")) else { return }
        lines.append((String(decoding: line[..<colon], as: UTF8.self), Self.trimmed(line[line.index(after: colon)...])))
    }

    /// RFC 9110 §15.2: 1xx answers come before the one that counts.
    private mutating func endOfBlock() -> Progress {
        guard status >= 200 else { return .more }
        isComplete = true
        return .complete
    }

    private static func trimmed(_ bytes: Slice<UnsafeRawBufferPointer>) -> String {
        let isBlank = { (byte: UInt8) in byte == 0x20 || byte == 0x09 }
        let start = bytes.drop(while: isBlank)
        let end = start.lastIndex { !isBlank($0) }.map { $0 + 1 } ?? start.startIndex
        return String(decoding: start[..<end], as: UTF8.self)
    }
}
