import HTTPTypes
import ProviderModel

/// How long a body is and how it is packed, as far as the head says it without contradiction (RFC 9112 §6.3).
///
/// libcurl takes the last of several lengths, and the digits at the beginning of something that is no number.
struct BodyFraming {
    /// The bytes announced; nil when the head does not say.
    let length: Int?
    /// How the body is packed; nil when it is not.
    let coding: ContentCoding?

    /// The header fields that say how a body comes.
    static let fieldNames: [HTTPField.Name] = [.contentLength, .transferEncoding, .contentEncoding]

    /// An answer without a body.
    static let empty = BodyFraming()

    /// Reads the framing; what is wrong with it is the error's phrase, which follows the name of the server.
    ///
    /// `coding` says how the body is packed, as far as it is to be unpacked.
    init(
        lengths: [String], transferCodings: [String], coding: () throws(UnknownCoding) -> ContentCoding?
    ) throws(FramingFault) {
        let transfers = Self.items(of: transferCodings).map { $0.lowercased() }
        // RFC 9112 §6.3: a body wrapped in a way that nobody knows goes on as it is, until its connection ends.
        let isUnknown = transfers.count == 1 && !Self.transferCodings.contains(transfers[0]) && lengths.isEmpty
        // Nobody asks for another one (`TE`), and codings inside one another are bombs.
        guard transfers.isEmpty || transfers == ["chunked"] || isUnknown else {
            let found = transferCodings.joined(separator: ", ").quoted
            throw FramingFault("sends its answer as \(found), expected “chunked”")
        }
        // RFC 9112 §6.3: chunks overrule a length.
        length = transfers.isEmpty ? try Self.length(Self.items(of: lengths)) : nil
        do throws(UnknownCoding) { self.coding = try coding() } catch {
            let found = error.names.joined(separator: ", ").quoted
            throw FramingFault("packed its answer as \(found), expected \(ContentCoding.accepted) or no packing")
        }
    }

    /// A framing that is known already.
    init(length: Int? = nil, coding: ContentCoding? = nil) {
        self.length = length
        self.coding = coding
    }

    /// Those that mean something (RFC 9112 §7).
    private static let transferCodings: Set = ["chunked", "compress", "x-compress", "deflate", "gzip", "x-gzip"]

    private static func length(_ texts: [String]) throws(FramingFault) -> Int? {
        var known: Int?
        for text in texts {
            guard text.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let length = Int(text) else {
                throw FramingFault("gives its answer the length \(text.quoted), expected a number of bytes")
            }
            if let known, known != length {
                throw FramingFault("gives its answer the lengths \(known) and \(length), expected one")
            }
            known = length
        }
        return known
    }

    private static func items(of values: [String]) -> [String] {
        // Lists are rare, and taking a text apart costs more than all the rest here.
        guard values.contains(where: { $0.utf8.contains(UInt8(ascii: ",")) }) else { return values }
        let items = values.flatMap { $0.split(separator: ",", omittingEmptySubsequences: false) }
        return items.map { String($0).trimmingBlanks }
    }
}

/// What is wrong with an answer's framing, as a phrase that follows the name of the server.
struct FramingFault: Error {
    let phrase: String

    init(_ phrase: String) { self.phrase = phrase }
}
