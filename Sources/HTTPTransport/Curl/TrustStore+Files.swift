import Glibc

extension TrustStore {
    /// The system's file and the extra one as one text, needed where there are two: libcurl takes only one file.
    func joinedFiles() -> [UInt8]? {
        guard let file, let extraFile else { return nil }
        // One that cannot be read makes every handshake fail with a message that says so, once given to libcurl alone.
        guard let system = Self.contents(of: file), let extra = Self.contents(of: extraFile) else { return nil }
        return system + [0x0a] + extra
    }

    private static func contents(of path: String) -> [UInt8]? {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 1 << 16)
        while true {
            let count = read(descriptor, &chunk, chunk.count)
            guard count > 0 else { return count == 0 ? bytes : nil }
            bytes += chunk[..<count]
        }
    }
}
