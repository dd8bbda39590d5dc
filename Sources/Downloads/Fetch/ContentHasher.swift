import Crypto

/// Computes digests of a file's content: its SHA-256, and the digest that a server sent.
struct ContentHasher {
    struct Result {
        /// The SHA-256, if requested.
        var sha256: [UInt8]?
        /// The digest by the server's algorithm, if it sent one.
        var promised: [UInt8]?
    }

    private var sha256: Crypto.SHA256?
    private var sha512: Crypto.SHA512?
    private var md5: Crypto.Insecure.MD5?
    /// The algorithm of the promised digest.
    let algorithm: PromisedDigest.Algorithm?

    /// A hasher; `algorithm` is that of what a server promised.
    init(withSHA256: Bool, besides algorithm: PromisedDigest.Algorithm? = nil) {
        self.algorithm = algorithm
        if withSHA256 || algorithm == .sha256 { sha256 = Crypto.SHA256() }
        if algorithm == .sha512 { sha512 = Crypto.SHA512() }
        if algorithm == .md5 { md5 = Crypto.Insecure.MD5() }
    }

    /// Whether nothing is to be computed, so that the content need not be given.
    var isEmpty: Bool { sha256 == nil && sha512 == nil && md5 == nil }

    mutating func update(_ bytes: UnsafeRawBufferPointer) {
        sha256?.update(bufferPointer: bytes)
        sha512?.update(bufferPointer: bytes)
        md5?.update(bufferPointer: bytes)
    }

    /// The digests of all that was given.
    func finish() -> Result {
        let sha256 = sha256.map { Array($0.finalize()) }
        let promised =
            switch algorithm {
            case nil: nil as [UInt8]?
            case .sha256: sha256
            case .sha512: sha512.map { Array($0.finalize()) }
            case .md5: md5.map { Array($0.finalize()) }
            }
        return Result(sha256: sha256, promised: promised)
    }
}

/// Hashes a large file beside its arrival, reading it back as far as it goes without a gap.
final class BackgroundHash: Sendable {
    private let prefixes: AsyncStream<Int>.Continuation
    private let task: Task<(hasher: ContentHasher, position: Int), any Error>

    /// After how many bytes other tasks may have the thread.
    private static let slice = 4 << 20

    /// Begins at the start of the file.
    init(_ part: PartFile, _ hasher: ContentHasher) {
        let (stream, continuation) = AsyncStream.makeStream(of: Int.self, bufferingPolicy: .bufferingNewest(1))
        prefixes = continuation
        task = Task {
            var (hasher, position) = (hasher, 0)
            for await end in stream {
                while position < end {
                    try Task.checkCancellation()
                    let next = min(position + Self.slice, end)
                    try part.forEachChunk(of: position..<next) { hasher.update($0) }
                    position = next
                    await Task.yield()
                }
            }
            return (hasher, position)
        }
    }

    deinit { task.cancel() }

    /// Says how far the file goes from its beginning without a gap.
    func advance(to prefix: Int) { prefixes.yield(prefix) }

    /// Ends, and returns the hasher and how far it has come.
    func finish() async throws -> (hasher: ContentHasher, position: Int) {
        prefixes.finish()
        return try await withTaskCancellationHandler {
            try await task.value
        } onCancel: {
            task.cancel()
        }
    }
}
