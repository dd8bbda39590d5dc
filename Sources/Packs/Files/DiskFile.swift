import Glibc
import ProviderModel

/// Files of a pack on disk, read and written whole.
enum DiskFile {
    /// The bytes of a file; nil where there is none.
    static func bytesIfPresent(at path: String, limit: Int) throws(PackError) -> [UInt8]? {
        // Non-blocking, so that a pipe without a writer is refused and not waited for.
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        if descriptor < 0, errno == ENOENT { return nil }
        guard descriptor >= 0 else { throw failure("read", path) }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw failure("read", path) }
        guard status.st_mode & S_IFMT == S_IFREG else { throw PackError(.file, "\(path) is not a file") }
        guard status.st_size <= limit else { throw tooLarge(path, limit) }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(Int(status.st_size))
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        while true {
            let count = Glibc.read(descriptor, &buffer, buffer.count)
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw failure("read", path) }
            if count == 0 { return bytes }
            bytes += buffer[..<count]
            guard bytes.count <= limit else { throw tooLarge(path, limit) }
        }
    }

    /// The bytes of a file that has to be there.
    static func bytes(at path: String, limit: Int) throws(PackError) -> [UInt8] {
        guard let bytes = try bytesIfPresent(at: path, limit: limit) else {
            throw PackError(.file, "there is no \(path), expected a file", hint: "check the path")
        }
        return bytes
    }

    /// Writes a file under another name first, so that nobody ever finds half of it.
    static func write(_ bytes: [UInt8], to path: String, mode: mode_t, replacing: Bool) throws(PackError) {
        let draft = "\(path).\(getpid()).\(UInt32.random(in: .min ... .max)).part"
        let descriptor = open(draft, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, mode)
        guard descriptor >= 0 else { throw failure("written", path) }
        var isWritten = false
        defer { if !isWritten { unlink(draft) } }
        var problem = writeAll(bytes, to: descriptor)
        if problem == 0, fchmod(descriptor, mode) != 0 || fsync(descriptor) != 0 { problem = errno }
        if close(descriptor) != 0, problem == 0 { problem = errno }
        guard problem == 0 else { throw failure("written", path, problem) }
        if replacing {
            guard rename(draft, path) == 0 else { throw failure("written", path) }
            isWritten = true
        } else {
            // A second name, unlike renaming, is never given over another file.
            guard link(draft, path) == 0 else {
                guard errno == EEXIST else { throw failure("written", path) }
                throw PackError(.file, "\(path) is already there", hint: "move it away, or choose another name")
            }
        }
    }

    static func failure(_ action: String, _ path: String, _ code: Int32 = errno) -> PackError {
        PackError(.file, "\(path) cannot be \(action): \(String(cString: strerror(code)))")
    }

    private static func tooLarge(_ path: String, _ limit: Int) -> PackError {
        PackError(.tooLarge, "\(path) is larger than \(ByteCount(limit)), the most that is read")
    }

    private static func writeAll(_ bytes: [UInt8], to descriptor: Int32) -> Int32 {
        var written = 0
        while written < bytes.count {
            let count = bytes.withUnsafeBytes {
                Glibc.write(descriptor, $0.baseAddress! + written, bytes.count - written)
            }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return errno }
            written += count
        }
        return 0
    }
}

/// A size as people read it: `32 MiB`.
struct ByteCount: CustomStringConvertible {
    private let bytes: Int

    init(_ bytes: Int) { self.bytes = bytes }

    var description: String {
        bytes < 1 << 10 ? "\(bytes) bytes" : bytes < 1 << 20 ? "\(bytes >> 10) KiB" : "\(bytes >> 20) MiB"
    }
}
