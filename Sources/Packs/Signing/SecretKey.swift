import Glibc
import ProviderModel

/// A key that packs are signed with.
package struct SecretKey: Sendable {
    /// The cost of trying a password for a key file.
    package enum Protection: Sendable {
        /// That of minisign: a gigabyte of memory and some seconds per password.
        case sensitive
        /// A low one, for tests.
        case interactive
    }

    /// The number that its signatures bear.
    package let id: SigningKeyID
    let secret: [UInt8]

    init(id: SigningKeyID, secret: [UInt8]) {
        self.id = id
        self.secret = secret
    }

    /// Makes a new key.
    package static func generate() throws(PackError) -> SecretKey {
        let sodium = try Sodium()
        return SecretKey(id: SigningKeyID(sodium.randomBytes(SigningKeyID.size)), secret: sodium.keyPair().secret)
    }

    /// The half that others check signatures with.
    package var publicKey: PublicKey { PublicKey(id: id, key: Array(secret.suffix(32))) }

    /// Signs bytes.
    package func sign(
        _ bytes: [UInt8], trustedComment: String, untrustedComment: String = "signature from imgscript"
    ) throws(PackError) -> PackSignature {
        for comment in [trustedComment, untrustedComment] {
            guard !comment.contains(where: \.isNewline), comment.utf8.count < MinisignText.maximumCommentLength - 32
            else {
                throw PackError(.signature, "invalid comment of a signature: \(comment.quoted) (expected one line)")
            }
        }
        let sodium = try Sodium()
        let signature = sodium.signature(of: sodium.blake2b(bytes, size: PackSignature.digestSize), by: secret)
        return PackSignature(
            keyID: id, isPrehashed: true, trustedComment: trustedComment, bytes: signature,
            globalBytes: sodium.signature(
                of: PackSignature.globallySigned(signature, trustedComment), by: secret),
            untrustedComment: untrustedComment)
    }

    /// The text of a key file; refuses one that others may read.
    package static func text(ofFileAt path: String) throws(PackError) -> String {
        var status = stat()
        guard stat(path, &status) == 0 else {
            guard errno == ENOENT else { throw FileSystem.failure("read", path) }
            throw PackError(.key, "no such key: \(path)", hint: .createSigningKey)
        }
        guard status.st_mode & 0o077 == 0 else {
            throw PackError(.key, "\(path) is a secret key that is readable by others", hint: "chmod 600 \(path)")
        }
        return String(decoding: try FileSystem.bytes(at: path, limit: 1 << 16), as: UTF8.self)
    }

    /// Writes a key file that only its owner can read; never over another file.
    package func write(
        to path: String, password: String?, protection: Protection = .sensitive
    ) throws(PackError) {
        let text = try fileText(password: password, protection: protection)
        try FileSystem.write(Array(text.utf8), to: path, mode: 0o600, replacing: false)
    }
}

/// minisign's form of a secret key: the secret part is encrypted with a stream of bytes that comes from a password.
private struct SecretKeyFile {
    var isEncrypted: Bool
    var salt: [UInt8]
    var cost: PasswordCost
    /// The key's number, the key and a checksum, encrypted or not.
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
        else { throw lines.damaged("unknown format") }
        isEncrypted = encryption == Self.scrypt
        salt = Array(bytes[6..<(6 + Self.saltSize)])
        let numbers = bytes[(6 + Self.saltSize)...]
        cost = PasswordCost(work: Self.number(numbers.prefix(8)), memory: Self.number(numbers.dropFirst(8).prefix(8)))
        content = Array(bytes.suffix(Self.contentSize))
        guard !isEncrypted || (cost.work <= PasswordCost.maximum.work && cost.memory <= PasswordCost.maximum.memory)
        else {
            throw lines.damaged("it requires \(ByteCount(Int(clamping: cost.memory))) of memory")
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

    /// Encrypts the content with a stream, or decrypts it.
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
            guard let password else { throw PackError(.password, "the key is encrypted: no password given") }
            guard
                var stream = sodium.scrypt(password, salt: file.salt, cost: file.cost, size: SecretKeyFile.contentSize)
            else {
                let memory = ByteCount(Int(clamping: file.cost.memory))
                throw PackError(.key, "not enough memory to decrypt the key (needs \(memory))")
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
            guard file.isEncrypted else {
                throw PackError(.key, "the checksum of the key is wrong: the file is damaged")
            }
            throw PackError(.password, "wrong password")
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
            // A small machine may not have a gigabyte; minisign too takes less then.
            guard file.cost.memory > PasswordCost.interactive.memory else {
                throw PackError(.key, "not enough memory to encrypt the key")
            }
            file.cost = file.cost.halved
        }
    }

    /// minisign's checksum: it shows that a password is wrong.
    private func checksum(_ sodium: Sodium) -> [UInt8] {
        sodium.blake2b(SecretKeyFile.signatureAlgorithm + id.bytes + secret, size: SecretKeyFile.checksumSize)
    }
}
