import Glibc

extension TrustStore {
    /// The extra certificates, after those of the system's file if there is one: libcurl takes only one file.
    ///
    /// Nil without an extra file. One that cannot be read is an error here, because libcurl passes over it.
    func joinedFiles() throws(TransportError) -> [UInt8]? {
        guard let extraFile else { return nil }
        guard let file else { return try Self.contents(of: extraFile) }
        return try Self.contents(of: file) + [0x0a] + Self.contents(of: extraFile)
    }

    private static func contents(of path: String) throws(TransportError) -> [UInt8] {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw unreadable(path) }
        defer { close(descriptor) }
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 1 << 16)
        while true {
            let count = read(descriptor, &chunk, chunk.count)
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw unreadable(path) }
            guard count > 0 else { return bytes }
            bytes += chunk[..<count]
        }
    }

    private static func unreadable(_ path: String) -> TransportError {
        TransportError(
            .tls,
            message: "the certificates in \(path) cannot be read: \(String(cString: strerror(errno))); "
                + "check --ca-file, SSL_CERT_FILE and CURL_CA_BUNDLE"
        )
    }
}
