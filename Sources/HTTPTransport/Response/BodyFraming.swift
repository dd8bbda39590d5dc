import HTTPTypes
import ProviderModel

/// How long a body is and how it is encoded, as far as the head says it without contradiction (RFC 9112 §6.3).
///
/// libcurl takes the last of several lengths, and the digits at the beginning of something that is no number.
struct BodyFraming {
    /// The bytes announced; nil when the head does not say.
    var length: Int?
    /// How the body is encoded; nil when it is not, or is not to be decoded.
    var coding: ContentCoding?

    /// A response without a body.
    static let empty = BodyFraming()

    /// A framing that is known already.
    init(length: Int? = nil, coding: ContentCoding? = nil) {
        self.length = length
        self.coding = coding
    }

    /// Reads the framing of a head.
    init(_ fields: HTTPFields, status: Int, decoding: DecodingPolicy) throws(FramingFault) {
        let transfers = Self.members(of: fields[values: .transferEncoding]).map { $0.lowercased() }
        let lengths = Self.members(of: fields[values: .contentLength])
        // RFC 9112 §6.3: a body in an unknown transfer coding goes on as it is, until its connection ends.
        let isUnknown = transfers.count == 1 && !Self.transferCodings.contains(transfers[0]) && lengths.isEmpty
        // No other one is requested (`TE`), and nested codings are decompression bombs.
        guard transfers.isEmpty || transfers == ["chunked"] || isUnknown else {
            let found = fields[values: .transferEncoding].joined(separator: ", ").quoted
            throw FramingFault("sent a body with Transfer-Encoding \(found) (expected \"chunked\")")
        }
        // RFC 9112 §6.3: chunks overrule a length.
        length = transfers.isEmpty ? try Self.length(lengths) : nil
        coding = try decoding.coding(named: fields[values: .contentEncoding], status: status)
    }

    /// Those that mean something (RFC 9112 §7).
    private static let transferCodings: Set = ["chunked", "compress", "x-compress", "deflate", "gzip", "x-gzip"]

    private static func length(_ texts: [String]) throws(FramingFault) -> Int? {
        var known: Int?
        for text in texts {
            guard text.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let length = Int(text) else {
                throw FramingFault("sent the Content-Length \(text.quoted) (expected a number of bytes)")
            }
            if let known, known != length {
                throw FramingFault("sent the Content-Length \(known) and \(length) (expected one)")
            }
            known = length
        }
        return known
    }

    private static func members(of values: [String]) -> [String] {
        values.flatMap { $0.split(separator: ",", omittingEmptySubsequences: false) }.map {
            String($0).trimmingWhitespace
        }
    }
}

/// What is wrong with a response's framing, as a phrase that follows the name of the server.
struct FramingFault: Error {
    let phrase: String

    init(_ phrase: String) { self.phrase = phrase }
}
