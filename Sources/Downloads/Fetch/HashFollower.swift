import Glibc

/// Computes a large file's digest beside its arrival, so that little is left to do at its end.
struct HashFollower {
    private static let chunk = 256 << 10

    let part: PartFile
    private var hasher: ContentHasher
    private var position = 0

    init(_ part: PartFile, digest: PromisedDigest?) {
        self.part = part
        hasher = ContentHasher(besides: digest?.algorithm)
    }

    /// Reads on as far as the file's beginning is there.
    mutating func follow(to end: Int) async throws(DownloadError) {
        guard end > position else { return }
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: Self.chunk, alignment: 4_096)
        defer { buffer.deallocate() }
        while position < end {
            let wanted = UnsafeMutableRawBufferPointer(rebasing: buffer.prefix(min(Self.chunk, end - position)))
            let count = part.read(into: wanted, at: position)
            guard count == wanted.count else {
                throw DownloadError(.file, "\(part.path) cannot be read back; something else has changed it")
            }
            hasher.update(UnsafeRawBufferPointer(wanted))
            position += count
            await Task.yield()
            if Task.isCancelled { return }
        }
    }

    /// The digests of the whole.
    mutating func finish(at total: Int) async throws(DownloadError) -> (sha256: [UInt8], other: [UInt8]?) {
        try await follow(to: total)
        return hasher.finish()
    }

    /// Follows the updates of a file from its start to its end; nil when the file was begun anew meanwhile.
    static func digests(
        of assembly: FileAssembly, start: Int, following updates: AsyncStream<Int>
    ) async throws -> (sha256: [UInt8], other: [UInt8]?)? {
        var follower = HashFollower(assembly.part, digest: assembly.digest)
        for await prefix in updates {
            guard assembly.start == start else { return nil }
            try await follower.follow(to: prefix)
            try Task.checkCancellation()
        }
        try Task.checkCancellation()
        guard assembly.start == start, assembly.isComplete, let total = assembly.total else { return nil }
        return try await follower.finish(at: total)
    }
}
