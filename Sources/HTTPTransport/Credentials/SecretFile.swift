import FoundationEssentials
import Glibc
import ProviderModel

/// `credentials.json`: secrets by provider and name, readable by their owner only.
struct SecretFile: Sendable {
    typealias Secrets = [String: [String: String]]

    let folder: String

    var path: String { "\(folder)/credentials.json" }

    /// What the file holds; nothing when there is no file.
    func read() throws(TransportError) -> Secrets {
        let descriptor = OwnFile.open(path, O_RDONLY)
        guard descriptor >= 0 else {
            if errno == ENOENT || errno == ENOTDIR { return [:] }
            throw failure("read")
        }
        defer { close(descriptor) }
        try checkMode(of: descriptor)
        guard let bytes = descriptor.readToEnd(limit: 1 << 20) else { throw failure("read") }
        do {
            return try JSONDecoder().decode(Secrets.self, from: Data(bytes))
        } catch {
            throw TransportError(
                .secrets,
                message: "\(path) has invalid content (expected {\"provider\": {\"key\": \"…\"}})",
                hint: "correct it, or remove it and store the keys again",
                cause: error
            )
        }
    }

    /// Changes what the file holds; processes do so one after another.
    func change(_ change: (inout Secrets) -> Void) throws(TransportError) {
        try makeFolder()
        let lock = try FileLock(waitingFor: "\(path).lock")
        defer { lock.release() }
        var secrets = try read()
        change(&secrets)
        try write(secrets)
    }

    /// Replaces the file in one step: a reader sees the old secrets or the new ones.
    private func write(_ secrets: Secrets) throws(TransportError) {
        let bytes = try encode(secrets)
        let code = AtomicFile.write(bytes, to: path, mode: 0o600)
        guard code == 0 else { throw failure("write", code) }
    }

    private func encode(_ secrets: Secrets) throws(TransportError) -> [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
        do {
            return try Array(encoder.encode(secrets)) + [0x0a]
        } catch {
            throw TransportError(.secrets, message: "could not encode the secrets as JSON: \(error)", cause: error)
        }
    }

    private func checkMode(of descriptor: Int32) throws(TransportError) {
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw failure("read") }
        guard status.st_mode & 0o077 == 0 else {
            let mode = String(status.st_mode & 0o777, radix: 8)
            throw TransportError(
                .secrets,
                message: "\(path) is readable by other users of this machine: mode \(mode) (expected 600)",
                hint: "run `chmod 600 \(path)`, and consider replacing the keys")
        }
    }

    /// The folder itself is made private; folders above it that are missing are made as usual.
    private func makeFolder() throws(TransportError) {
        var position = folder.startIndex
        while let slash = folder[position...].dropFirst().firstIndex(of: "/") {
            try make(String(folder[..<slash]), mode: 0o755)
            position = slash
        }
        try make(folder, mode: 0o700)
    }

    private func make(_ folder: String, mode: mode_t) throws(TransportError) {
        guard mkdir(folder, mode) != 0, errno != EEXIST else { return }
        let reason = errno
        // Folders above may be closed to writing and still be there: only what is missing matters.
        guard access(folder, F_OK) != 0 else { return }
        throw failure("create", reason)
    }

    private func failure(_ action: String, _ code: Int32 = errno) -> TransportError {
        if code == ELOOP, let refusal = OwnFile.linkRefusal(path) { return TransportError(.secrets, message: refusal) }
        return TransportError(.secrets, message: "could not \(action) \(path): \(String(cString: strerror(code)))")
    }
}
