import Glibc
import HTTPTypes

/// Puts an answer's head together from the header lines libcurl hands over one by one.
///
/// One transfer has it: each question asked of a copy would count its references up and down.
struct ResponseHeadParser: ~Copyable {
    /// What a line did.
    enum Progress: Equatable {
        case more
        case complete
        case tooLarge
    }

    /// Far more than anyone sends; `HTTPFields` takes no more than 65,534.
    private static let fieldLimit = 10_000

    private let limit: Int
    private let unpacking: Unpacking
    private let memory: HeadMemory
    private var size = 0
    private var isComplete = false
    private var status = 0
    private var lines = HeadLines()
    private var fields = HTTPFields()
    private var placesOfFraming: [Int] = []

    /// `unpacking` says what becomes of a packed body; `memory` is of the answers before.
    init(limit: Int, unpacking: Unpacking, memory: HeadMemory = HeadMemory()) {
        self.limit = limit
        self.unpacking = unpacking
        self.memory = memory
    }

    /// The head, once it is complete.
    var head: ResponseHead {
        var headers = fields
        // What described the compressed body would mislead; a head that contradicts itself goes no further anyway.
        if headers.contains(.contentEncoding), (try? framing())?.coding != nil {
            for name in Self.namesOfPacking { headers[name] = nil }
        }
        return ResponseHead(status: status, headers: headers)
    }

    /// What the head says about a body.
    func framing() throws(FramingFault) -> BodyFraming {
        // RFC 9110 §6.4.1: these have none, whatever they say.
        if status == 204 || status == 304 { return .empty }
        var (lengths, transferCodings, codings): ([String], [String], [String]) = ([], [], [])
        for place in placesOfFraming {
            let field = fields[place]
            switch field.name {
            case .contentLength: lengths.append(field.value)
            case .transferEncoding: transferCodings.append(field.value)
            case .contentEncoding: codings.append(field.value)
            default: break
            }
        }
        return try BodyFraming(
            lengths: lengths, transferCodings: transferCodings,
            coding: { () throws(UnknownCoding) in try unpacking.coding(named: codings, status: status) })
    }

    /// The headers that are about the bytes as they were sent; digests, too, are of those (RFC 9530 §3, RFC 1864).
    private static let namesOfPacking: [HTTPField.Name] =
        [.contentEncoding, .contentLength]
        + ["Content-MD5", "Content-Digest", "Repr-Digest", "Digest"].compactMap { HTTPField.Name($0) }

    /// Takes one line with its line end.
    mutating func take(_ bytes: UnsafeRawBufferPointer) -> Progress {
        size += bytes.count
        guard size <= limit, lines.count < Self.fieldLimit else { return .tooLarge }
        guard !isComplete else { return .more }  // trailers: nothing here reads them
        let line = bytes.withoutLineEnd
        if line.isEmpty { return endOfBlock() }
        if line.starts(with: "HTTP/"), !line.contains(.colon) || status == 0 && lines.count == 0 {
            begin(line)
        } else {
            lines.append(line)
        }
        return .more
    }

    private mutating func begin(_ line: UnsafeRawBufferPointer) {
        let rest = line.drop { $0 != .space }.drop { $0 == .space }
        let code = UnsafeRawBufferPointer(rebasing: rest.prefix { $0 != .space })
        status = Int(String(decoding: code, as: UTF8.self)) ?? 0
        lines = memory.emptyLines()
    }

    /// RFC 9110 §15.2: 1xx answers come before the one that counts.
    private mutating func endOfBlock() -> Progress {
        guard status >= 200 else { return .more }
        isComplete = true
        fields = memory.fields(of: lines)
        placesOfFraming = memory.placesOfFraming
        // Only the memory holds them now, which others are to be written over.
        lines = HeadLines()
        return .complete
    }
}

extension UnsafeRawBufferPointer {
    fileprivate func starts(with text: StaticString) -> Bool {
        count >= text.utf8CodeUnitCount && memcmp(baseAddress!, text.utf8Start, text.utf8CodeUnitCount) == 0
    }

    fileprivate var withoutLineEnd: UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(rebasing: self[..<place(of: 0x0d, before: place(of: 0x0a, before: count))])
    }

    /// Where a byte comes first; the end where it does not come before that.
    private func place(of byte: CInt, before end: Int) -> Int {
        guard let baseAddress, let found = memchr(baseAddress, byte, end) else { return end }
        return baseAddress.distance(to: UnsafeRawPointer(found))
    }
}
