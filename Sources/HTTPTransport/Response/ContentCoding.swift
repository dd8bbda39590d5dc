import HTTPTypes
import ProviderModel

/// A content coding that can be decoded here (RFC 9110 §8.4.1).
///
/// libcurl decodes too, but takes a body that was cut for a whole one, follows any depth of codings in one call, and
/// keeps what a pausing sink does not take in memory.
enum ContentCoding: String, CaseIterable, Sendable {
    case gzip
    case deflate
    case brotli = "br"
    case zstandard = "zstd"

    /// What `Accept-Encoding` says.
    static let accepted = allCases.map(\.rawValue).joined(separator: ", ")

    /// A coding by its name in a header line; nil for any other.
    init?(name: String) { self.init(rawValue: name == "x-gzip" ? "gzip" : name) }

    /// A decoder for one body; nil when there is no memory for one.
    func makeDecoder() -> (any ContentDecoder)? {
        switch self {
        case .gzip: ZlibDecoder(.gzip)
        case .deflate: ZlibDecoder(.deflate)
        case .brotli: BrotliDecoder()
        case .zstandard: ZstandardDecoder()
        }
    }
}

/// How an encoded body is handled, by the request's `Accept-Encoding`.
enum DecodingPolicy {
    /// The request has none, so that the transport's own codings were requested: the body is decoded.
    case accepted
    /// `identity` was requested: an encoded body is decoded all the same, unless it is not encoded after all.
    case unrequested
    /// The caller requested codings: the body is passed on unchanged.
    case none

    init(_ requestHeaders: HTTPFields) {
        switch requestHeaders[.acceptEncoding] {
        case nil: self = .accepted
        case "identity": self = .unrequested
        default: self = .none
        }
    }

    /// The coding of a response's body; nil when it is not encoded, is not to be decoded, or in an unknown coding:
    /// then its bytes and its `Content-Encoding` are passed on unchanged.
    func coding(named values: [String], status: Int) throws(FramingFault) -> ContentCoding? {
        let names = values.flatMap { $0.split(separator: ",") }.map { String($0).trimmingWhitespace.lowercased() }
            .filter { !$0.isEmpty && $0 != "identity" }
        guard self != .none, let name = names.first else { return nil }
        // A part of an encoded body is nothing to begin with.
        if self == .unrequested, status == 206 || names.count > 1 { return nil }
        // Nested codings let a decompression bomb pass the limit, and are not in use.
        guard names.count == 1 else {
            let found = names.joined(separator: ", ").quoted
            throw FramingFault("sent a body with Content-Encoding \(found) (expected one of \(ContentCoding.accepted))")
        }
        return ContentCoding(name: name)
    }
}
