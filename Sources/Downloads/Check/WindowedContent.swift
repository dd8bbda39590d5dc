import Synchronization

/// Content of which a stretch is kept in memory: a format's fields lie close together, and each would cost a call.
final class WindowedContent<Base: FileContent>: FileContent {
    private struct Window {
        var offset = 0
        var bytes: [UInt8] = []
    }

    private let base: Base
    let count: Int
    private let window = Mutex(Window())

    private static var length: Int { 4_096 }

    init(_ base: Base) {
        self.base = base
        count = base.count
    }

    func bytes(at offset: Int, count: Int) throws(DownloadError) -> [UInt8] {
        // The file's end is looked at once, and its beginning again after that.
        let isTail = offset + count >= self.count
        guard offset >= 0, count <= Self.length, offset == 0 || !isTail else {
            return try base.bytes(at: offset, count: count)
        }
        return try window.withLock { (window) throws(DownloadError) in
            let end = min(offset + count, self.count)
            if offset < window.offset || end > window.offset + window.bytes.count {
                window = Window(offset: offset, bytes: try base.bytes(at: offset, count: Self.length))
            }
            return Array(window.bytes.dropFirst(offset - window.offset).prefix(count))
        }
    }
}
