/// How a body is packed for the way (RFC 9110 §8.4.1), as far as this machine can unpack it.
///
/// libcurl unpacks too, but takes a body that was cut for a whole one, follows any depth of packing in one call, and
/// keeps what a pausing sink does not take in memory.
enum ContentCoding: String, CaseIterable, Sendable {
    case gzip
    case deflate
    case brotli = "br"
    case zstandard = "zstd"

    /// What `Accept-Encoding` says: the codings whose library is here.
    static let accepted: String = {
        let names = allCases.filter { $0.makeDecoder() != nil }.map(\.rawValue)
        return names.isEmpty ? "identity" : names.joined(separator: ", ")
    }()

    /// The coding of an answer; nil when it is not packed, or in a way nobody here knows: then its bytes go on as they
    /// are, with the header that says so.
    ///
    /// An error when it is packed more than once.
    static func named(by values: [String]) -> Result<ContentCoding?, UnknownCoding> {
        let names = values.flatMap { $0.split(separator: ",") }.map { String($0).trimmingBlanks.lowercased() }
            .filter { !$0.isEmpty && $0 != "identity" }
        guard let name = names.first else { return .success(nil) }
        // One inside the other is how a bomb gets through a limit; nothing honest is packed twice.
        guard names.count == 1 else { return .failure(UnknownCoding(names: names)) }
        guard let coding = ContentCoding(name: name), coding.makeDecoder() != nil else { return .success(nil) }
        return .success(coding)
    }

    /// A decoder of this coding; nil when its library is not installed.
    func makeDecoder() -> (any ContentDecoder)? {
        switch self {
        case .gzip: ZlibDecoder(.gzip)
        case .deflate: ZlibDecoder(.deflate)
        case .brotli: BrotliDecoder()
        case .zstandard: ZstandardDecoder()
        }
    }

    private init?(name: String) { self.init(rawValue: name == "x-gzip" ? "gzip" : name) }
}

/// Codings that nobody asked for.
struct UnknownCoding: Error {
    let names: [String]
}

/// Unpacks a body piece by piece; used on one thread only.
protocol ContentDecoder: AnyObject {
    /// Whether the body could end here.
    var isAtEnd: Bool { get }

    /// Unpacks as much as fits; nothing consumed and nothing produced means that it waits for more.
    func decode(
        _ input: UnsafeRawBufferPointer, into output: UnsafeMutableRawBufferPointer
    ) throws(ContentFault) -> (consumed: Int, produced: Int)
}

/// Why a body cannot be unpacked.
struct ContentFault: Error {
    let message: String
}
