import CSodium

/// libsodium's functions over Swift's arrays.
struct Sodium {
    /// The library, ready for use.
    init() throws(PackError) {
        guard sodium_init() >= 0 else { throw PackError(.library, "libsodium found no source of randomness") }
    }

    func randomBytes(_ count: Int) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: count)
        randombytes_buf(&bytes, count)
        return bytes
    }

    /// A new Ed25519 key: its public half, and both halves.
    func keyPair() -> (public: [UInt8], secret: [UInt8]) {
        var publicKey = [UInt8](repeating: 0, count: crypto_sign_publickeybytes())
        var secretKey = [UInt8](repeating: 0, count: crypto_sign_secretkeybytes())
        crypto_sign_keypair(&publicKey, &secretKey)
        return (publicKey, secretKey)
    }

    func signature(of bytes: [UInt8], by secretKey: [UInt8]) -> [UInt8] {
        var signature = [UInt8](repeating: 0, count: crypto_sign_bytes())
        crypto_sign_detached(&signature, nil, bytes, UInt64(bytes.count), secretKey)
        return signature
    }

    func isSignature(_ signature: [UInt8], of bytes: [UInt8], by publicKey: [UInt8]) -> Bool {
        crypto_sign_verify_detached(signature, bytes, UInt64(bytes.count), publicKey) == 0
    }

    func blake2b(_ bytes: [UInt8], size: Int) -> [UInt8] {
        var digest = [UInt8](repeating: 0, count: size)
        crypto_generichash(&digest, size, bytes, UInt64(bytes.count), nil, 0)
        return digest
    }

    /// A stream of bytes that comes from a password; nil when the machine does not have the memory.
    func scrypt(_ password: String, salt: [UInt8], cost: PasswordCost, size: Int) -> [UInt8]? {
        var stream = [UInt8](repeating: 0, count: size)
        let code = crypto_pwhash_scryptsalsa208sha256(
            &stream, UInt64(size), password, UInt64(password.utf8.count), salt, cost.work, Int(cost.memory))
        return code == 0 ? stream : nil
    }

    func wipe(_ bytes: inout [UInt8]) { sodium_memzero(&bytes, bytes.count) }
}

/// What trying one password costs.
struct PasswordCost: Hashable {
    var work: UInt64
    var memory: UInt64

    static var interactive: PasswordCost {
        PasswordCost(
            work: UInt64(crypto_pwhash_scryptsalsa208sha256_opslimit_interactive()),
            memory: UInt64(crypto_pwhash_scryptsalsa208sha256_memlimit_interactive()))
    }
    static var sensitive: PasswordCost {
        PasswordCost(
            work: UInt64(crypto_pwhash_scryptsalsa208sha256_opslimit_sensitive()),
            memory: UInt64(crypto_pwhash_scryptsalsa208sha256_memlimit_sensitive()))
    }
    /// No real key file asks for more, which would stall a machine.
    static let maximum = PasswordCost(work: 1 << 30, memory: 4 << 30)

    /// Half of it, as minisign takes where memory is short.
    var halved: PasswordCost { PasswordCost(work: work / 2, memory: memory / 2) }
}
