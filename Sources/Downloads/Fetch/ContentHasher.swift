import CXXHash
import Crypto

/// Computes what a file's content is known by, and what a server promised of it besides.
struct ContentHasher {
    /// What came of it.
    struct Result {
        var hash: ContentHash
        /// By the algorithm that the server chose; nil where it promised nothing.
        var promised: [UInt8]?
    }

    private let xxh128 = XXH128Stream()
    private var sha256: Crypto.SHA256?
    private var sha512: Crypto.SHA512?
    private var md5: Crypto.Insecure.MD5?
    private let algorithm: PromisedDigest.Algorithm?

    /// A hasher; `algorithm` is that of what a server promised.
    init(withSHA256: Bool, besides algorithm: PromisedDigest.Algorithm? = nil) {
        self.algorithm = algorithm
        if withSHA256 || algorithm == .sha256 { sha256 = Crypto.SHA256() }
        if algorithm == .sha512 { sha512 = Crypto.SHA512() }
        if algorithm == .md5 { md5 = Crypto.Insecure.MD5() }
    }

    mutating func update(_ bytes: UnsafeRawBufferPointer) {
        xxh128.add(bytes)
        sha256?.update(bufferPointer: bytes)
        sha512?.update(bufferPointer: bytes)
        md5?.update(bufferPointer: bytes)
    }

    /// What came of all that was given.
    func finish() -> Result {
        let sha256 = sha256.map { Self.bytes(of: $0.finalize()) }
        let promised =
            switch algorithm {
            case nil: nil as [UInt8]?
            case .sha256: sha256
            case .sha512: sha512.map { Self.bytes(of: $0.finalize()) }
            case .md5: md5.map { Self.bytes(of: $0.finalize()) }
            }
        return Result(hash: ContentHash(xxh128: xxh128.value, sha256: sha256), promised: promised)
    }

    private static func bytes(of digest: some Digest) -> [UInt8] { digest.withUnsafeBytes { Array($0) } }
}

/// An XXH3 of 128 bits on its way.
///
/// `@unchecked Sendable`: one hasher alone has it, which is touched under its file's lock or in one task.
private final class XXH128Stream: @unchecked Sendable {
    private let stream: OpaquePointer

    init() {
        guard let stream = cxxhash_begin() else { fatalError("there is no memory for half a kilobyte") }
        self.stream = stream
    }

    deinit { cxxhash_end(stream) }

    func add(_ bytes: UnsafeRawBufferPointer) { cxxhash_add(stream, bytes.baseAddress, bytes.count) }

    /// The value of what was added so far.
    var value: [UInt8] { cxxhash_so_far(stream).bytes }
}
