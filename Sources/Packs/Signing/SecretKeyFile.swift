/// minisign's form of a secret key: what is secret, under a stream of bytes that a password gives.
private struct SecretKeyFile {
    var isEncrypted: Bool
    var salt: [UInt8]
    var cost: PasswordCost
    /// The key's number, the key and a check sum, readable or not.
    var content: [UInt8]

    static let signatureAlgorithm = Array("Ed".utf8)
    private static let scrypt = Array("Sc".utf8)
    private static let noEncryption: [UInt8] = [0, 0]
    private static let checksumAlgorithm = Array("B2".utf8)
    static let checksumSize = 32
    static let keySize = 64
    static let saltSize = 32
    static let contentSize = SigningKeyID.size + keySize + checksumSize
    private static let size = 6 + saltSize + 16 + contentSize

    init(_ text: String) throws(PackError) {
        var lines = MinisignText(text, what: "secret key", code: .key)
        _ = try lines.comment(MinisignText.untrusted)
        let bytes = try lines.bytes(Self.size)
        let encryption = Array(bytes[2..<4])
        guard bytes.starts(with: Self.signatureAlgorithm), Array(bytes[4..<6]) == Self.checksumAlgorithm,
            [Self.scrypt, Self.noEncryption].contains(encryption), lines.isAtEnd
        else { throw lines.damaged("it is of another kind than minisign’s") }
        isEncrypted = encryption == Self.scrypt
        salt = Array(bytes[6..<(6 + Self.saltSize)])
        let numbers = bytes[(6 + Self.saltSize)...]
        cost = PasswordCost(work: Self.number(numbers.prefix(8)), memory: Self.number(numbers.dropFirst(8).prefix(8)))
        content = Array(bytes.suffix(Self.contentSize))
        guard !isEncrypted || (cost.work <= PasswordCost.most.work && cost.memory <= PasswordCost.most.memory) else {
            throw lines.damaged("it asks for \(ByteCount(Int(clamping: cost.memory))) of memory")
        }
    }

    init(content: [UInt8]) {
        isEncrypted = false
        salt = [UInt8](repeating: 0, count: Self.saltSize)
        cost = PasswordCost(work: 0, memory: 0)
        self.content = content
    }

    var text: String {
        let kind = isEncrypted ? "encrypted" : "unencrypted"
        var bytes = Self.signatureAlgorithm + (isEncrypted ? Self.scrypt : Self.noEncryption) + Self.checksumAlgorithm
        bytes += salt
        for number in [cost.work, cost.memory] {
            for shift in stride(from: 0, to: 64, by: 8) {
                bytes.append(UInt8(truncatingIfNeeded: number >> UInt64(shift)))
            }
        }
        return "\(MinisignText.untrusted)minisign \(kind) secret key\n\(MinisignText.base64(bytes + content))\n"
    }

    /// Lays the stream over the content, or takes it off.
    mutating func apply(_ stream: [UInt8]) {
        for index in content.indices { content[index] ^= stream[index] }
    }

    private static func number(_ bytes: ArraySlice<UInt8>) -> UInt64 {
        bytes.reversed().reduce(0) { $0 << 8 | UInt64($1) }
    }
}

extension SecretKey {
    /// Whether the text of a key file can be read only with a password.
    package static func needsPassword(_ text: String) throws(PackError) -> Bool { try SecretKeyFile(text).isEncrypted }

    /// Reads the text of a key file.
    package init(parsing text: String, password: String?) throws(PackError) {
        var file = try SecretKeyFile(text)
        let sodium = try Sodium()
        if file.isEncrypted {
            guard let password else { throw PackError(.password, "the key is encrypted, and no password was given") }
            guard
                var stream = sodium.scrypt(password, salt: file.salt, cost: file.cost, size: SecretKeyFile.contentSize)
            else {
                let memory = ByteCount(Int(clamping: file.cost.memory))
                throw PackError(.key, "the key takes \(memory) of memory to decrypt, which this machine does not have")
            }
            file.apply(stream)
            sodium.wipe(&stream)
        }
        let content = file.content
        self.init(
            id: SigningKeyID(content.prefix(SigningKeyID.size)),
            secret: Array(content.dropFirst(SigningKeyID.size).prefix(SecretKeyFile.keySize)))
        sodium.wipe(&file.content)
        let found = content.suffix(SecretKeyFile.checksumSize)
        // minisign leaves the sum of a key without a password empty.
        let isLeftOut = !file.isEncrypted && found.allSatisfy { $0 == 0 }
        guard isLeftOut || Array(found) == checksum(sodium) else {
            guard file.isEncrypted else { throw PackError(.key, "the key’s check sum is wrong: the file was damaged") }
            throw PackError(.password, "the password is wrong")
        }
    }

    /// The text of a key file; without a password it is not encrypted.
    package func fileText(password: String?, protection: Protection = .sensitive) throws(PackError) -> String {
        let sodium = try Sodium()
        var file = SecretKeyFile(content: id.bytes + secret + checksum(sodium))
        guard let password else { return file.text }
        file.isEncrypted = true
        file.salt = sodium.randomBytes(SecretKeyFile.saltSize)
        file.cost = protection == .sensitive ? .sensitive : .interactive
        while true {
            if var stream = sodium.scrypt(password, salt: file.salt, cost: file.cost, size: SecretKeyFile.contentSize) {
                file.apply(stream)
                sodium.wipe(&stream)
                return file.text
            }
            // A small machine has no gigabyte; less is still better than nothing, and minisign does the same.
            guard file.cost.memory > PasswordCost.interactive.memory else {
                throw PackError(.key, "there is not enough memory to encrypt the key")
            }
            file.cost = file.cost.halved
        }
    }

    /// minisign's check sum: by it a wrong password is known.
    private func checksum(_ sodium: Sodium) -> [UInt8] {
        sodium.blake2b(SecretKeyFile.signatureAlgorithm + id.bytes + secret, size: SecretKeyFile.checksumSize)
    }
}
