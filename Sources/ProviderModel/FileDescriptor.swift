import Glibc

/// A file that is open, by its number.
package typealias FileDescriptor = Int32

extension FileDescriptor {
    /// Reads this file to its end, or until there are `limit` bytes or a little more; nil when that fails, with the reason
    /// in `errno`.
    package func readToEnd(limit: Int = .max) -> [UInt8]? {
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 1 << 16)
        while bytes.count < limit {
            let count = read(self, &chunk, chunk.count)
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { return nil }
            guard count > 0 else { break }
            bytes += chunk[..<count]
        }
        return bytes
    }

    /// Writes all of the bytes; false when that fails, with the reason in `errno`.
    package func writeAll(_ bytes: UnsafeRawBufferPointer) -> Bool {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = write(self, UnsafeRawBufferPointer(rebasing: rest).baseAddress, rest.count)
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return false }
            rest = rest.dropFirst(count)
        }
        return true
    }

    /// Writes all of the bytes; false when that fails, with the reason in `errno`.
    package func writeAll(_ bytes: [UInt8]) -> Bool { bytes.withUnsafeBytes { writeAll($0) } }
}

/// The program's own files, which are never opened through a symbolic link: it would lead what is written elsewhere.
package enum OwnFile {
    /// Opens a file as `open` does, unless a link lies there, which is `ELOOP`.
    package static func open(_ path: String, _ flags: Int32, mode: mode_t = 0o600) -> FileDescriptor {
        Glibc.open(path, flags | O_NOFOLLOW | O_CLOEXEC, mode)
    }

    /// Returns what is wrong with a path at which a link lies; nil where none does.
    package static func linkRefusal(_ path: String, expected: String = "a file") -> String? {
        var status = stat()
        guard lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFLNK else { return nil }
        return "\(path) is a symbolic link, which is not followed (expected \(expected): remove the link)"
    }
}
