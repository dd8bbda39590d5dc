import Glibc

/// Computes a large file's digest beside its arrival, so that little is left to do at its end.
struct HashFollower {
    private static let chunk = 256 << 10
    /// After how much others may have the thread.
    private static let turn = 4 << 20

    let part: PartFile
    private let feed: HashFeed?
    private var hasher: ContentHasher
    private var position = 0
    private var buffer: [UInt8] = []

    /// A follower of what a feed gives; without one, of what is in the file.
    init(_ part: PartFile, _ feed: HashFeed? = nil, hasher: ContentHasher) {
        self.part = part
        self.feed = feed
        self.hasher = hasher
    }

    /// Goes on as far as the file's beginning is there.
    mutating func follow(to end: Int) async throws(DownloadError) {
        var turnEnd = position + Self.turn
        while position < end {
            switch feed?.next(after: position, to: end) ?? .file(end: end) {
            case .bytes(let bytes, let known):
                bytes.withUnsafeBytes { hasher.update(UnsafeRawBufferPointer(rebasing: $0.dropFirst(known))) }
                position += bytes.count - known
                feed?.takeBack(bytes)
            case .file(let end): try readBack(to: min(end, position + Self.chunk))
            case .later: return
            }
            guard position >= turnEnd else { continue }
            turnEnd = position + Self.turn
            await Task.yield()
            if Task.isCancelled { return }
        }
    }

    private mutating func readBack(to end: Int) throws(DownloadError) {
        if buffer.isEmpty { buffer = [UInt8](repeating: 0, count: Self.chunk) }
        let wanted = end - position
        let count = buffer.withUnsafeMutableBytes { bytes in
            let found = part.read(into: UnsafeMutableRawBufferPointer(rebasing: bytes.prefix(wanted)), at: position)
            if found == wanted { hasher.update(UnsafeRawBufferPointer(rebasing: bytes.prefix(wanted))) }
            return found
        }
        guard count == wanted else {
            throw DownloadError(.file, "\(part.path) cannot be read back; something else has changed it")
        }
        position = end
    }

    /// The digests of the whole.
    mutating func finish(at total: Int) async throws(DownloadError) -> ContentHasher.Result {
        try await follow(to: total)
        return hasher.finish()
    }

    /// Follows a file from its start to its end; nil when the file was begun anew meanwhile.
    static func digests(
        of assembly: FileAssembly, start: Int, following feed: HashFeed
    ) async throws -> ContentHasher.Result? {
        var follower = HashFollower(assembly.part, feed, hasher: assembly.makeHasher())
        for await prefix in feed.prefixes {
            guard assembly.start == start else { return nil }
            try await follower.follow(to: prefix)
            try Task.checkCancellation()
        }
        try Task.checkCancellation()
        guard assembly.start == start, assembly.isComplete, let total = assembly.total else { return nil }
        return try await follower.finish(at: total)
    }
}
