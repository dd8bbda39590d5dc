import Glibc
import Synchronization

/// The bytes of a file, read where they are needed.
package protocol FileContent {
    /// How many there are.
    var count: Int { get }
    /// The bytes from an offset, fewer at the end of the file.
    func bytes(at offset: Int, count: Int) throws(DownloadError) -> [UInt8]
}

extension FileContent {
    /// The last bytes.
    func tail(_ length: Int) throws(DownloadError) -> [UInt8] {
        try bytes(at: max(count - length, 0), count: min(length, count))
    }
}

/// The bytes of an open file.
final class DescriptorContent: FileContent {
    let descriptor: Int32

    /// Takes over the descriptor, and closes it in the end.
    init(owning descriptor: Int32) { self.descriptor = descriptor }

    deinit { Glibc.close(descriptor) }

    var count: Int {
        var status = stat()
        return fstat(descriptor, &status) == 0 ? Int(status.st_size) : 0
    }

    func bytes(at offset: Int, count: Int) throws(DownloadError) -> [UInt8] {
        guard count > 0 else { return [] }
        var failure: Int32 = 0
        let bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
            let found = pread(descriptor, buffer.baseAddress, count, off_t(offset))
            failure = found < 0 ? errno : 0
            filled = max(found, 0)
        }
        guard failure == 0 else { throw DownloadError(errno: failure, "read", "an open file") }
        return bytes
    }
}

/// The beginning of a file, without what stands behind it.
struct LimitedContent<Base: FileContent>: FileContent {
    private let base: Base
    let count: Int

    init(_ base: Base, count: Int) {
        self.base = base
        self.count = count
    }

    func bytes(at offset: Int, count: Int) throws(DownloadError) -> [UInt8] {
        try base.bytes(at: offset, count: max(min(count, self.count - offset), 0))
    }
}

/// Content that is read through a window: a format's fields lie close together, and each would cost a system call.
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

extension [UInt8] {
    /// A big-endian number; nil beyond the end.
    func big(_ offset: Int, _ width: Int) -> Int? {
        guard offset >= 0, width <= count - offset else { return nil }
        return self[offset..<offset + width].reduce(0) { $0 << 8 | Int($1) }
    }

    /// A little-endian number; nil beyond the end.
    func little(_ offset: Int, _ width: Int) -> Int? {
        guard offset >= 0, width <= count - offset else { return nil }
        return self[offset..<offset + width].reversed().reduce(0) { $0 << 8 | Int($1) }
    }

    /// Whether a text stands at an offset.
    func has(_ text: StaticString, at offset: Int) -> Bool {
        let length = text.utf8CodeUnitCount
        guard offset >= 0, length <= count - offset else { return false }
        let wanted = UnsafeBufferPointer(start: text.utf8Start, count: length)
        return self[offset..<offset + length].elementsEqual(wanted)
    }

    /// Where bytes stand last.
    func lastPlace(of wanted: [UInt8]) -> Int? {
        guard wanted.count <= count else { return nil }
        return (0...(count - wanted.count)).reversed().first { self[$0..<$0 + wanted.count].elementsEqual(wanted) }
    }
}
