import CSodium

/// libsodium's functions over Swift's arrays.
struct Sodium {
    /// Loads the library.
    init() throws(PackError) {
        if let problem = csodium_load() { throw PackError(.library, String(cString: problem)) }
    }

    func randomBytes(_ count: Int) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: count)
        csodium_random(&bytes, count)
        return bytes
    }

    /// A new Ed25519 key: its public half, and both halves.
    func keyPair() -> (public: [UInt8], secret: [UInt8]) {
        var publicKey = [UInt8](repeating: 0, count: csodium_public_key_size)
        var secretKey = [UInt8](repeating: 0, count: csodium_secret_key_size)
        csodium_keypair(&publicKey, &secretKey)
        return (publicKey, secretKey)
    }

    func signature(of bytes: [UInt8], by secretKey: [UInt8]) -> [UInt8] {
        var signature = [UInt8](repeating: 0, count: csodium_signature_size)
        csodium_sign(&signature, bytes, bytes.count, secretKey)
        return signature
    }

    func isSignature(_ signature: [UInt8], of bytes: [UInt8], by publicKey: [UInt8]) -> Bool {
        csodium_verify(signature, bytes, bytes.count, publicKey) == 0
    }

    func blake2b(_ bytes: [UInt8], size: Int) -> [UInt8] {
        var digest = [UInt8](repeating: 0, count: size)
        csodium_blake2b(&digest, size, bytes, bytes.count)
        return digest
    }

    /// Bytes that a password gives; nil when the machine has not the memory that is asked for.
    func scrypt(_ password: String, salt: [UInt8], cost: PasswordCost, size: Int) -> [UInt8]? {
        var stream = [UInt8](repeating: 0, count: size)
        let text = Array(password.utf8CString)
        let code = csodium_scrypt(&stream, size, text, text.count - 1, salt, cost.work, Int(cost.memory))
        return code == 0 ? stream : nil
    }

    func wipe(_ bytes: inout [UInt8]) { csodium_wipe(&bytes, bytes.count) }
}

/// What trying one password costs.
struct PasswordCost: Hashable {
    var work: UInt64
    var memory: UInt64

    static var interactive: PasswordCost {
        PasswordCost(work: csodium_work_interactive, memory: UInt64(csodium_memory_interactive))
    }
    static var sensitive: PasswordCost {
        PasswordCost(work: csodium_work_sensitive, memory: UInt64(csodium_memory_sensitive))
    }
    /// What no honest key file asks for: a machine would stand still.
    static let most = PasswordCost(work: 1 << 30, memory: 4 << 30)

    /// Half of it, as minisign does where memory is short.
    var halved: PasswordCost { PasswordCost(work: work / 2, memory: memory / 2) }
}
