import Glibc
import ProviderModel

/// A key that packs are signed with.
package struct SecretKey: Sendable {
    /// How hard it is to try passwords on a key file.
    package enum Protection: Sendable {
        /// As minisign: a gigabyte of memory and some seconds for each.
        case sensitive
        /// A moment, for keys that are worth little.
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
            guard !comment.contains(where: \.isNewline), comment.utf8.count < MinisignText.longestComment - 32 else {
                throw PackError(.signature, "a signature’s comment is one line, found \(comment.quoted)")
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
            guard errno == ENOENT else { throw DiskFile.failure("read", path) }
            throw PackError(.key, "there is no key \(path)", hint: "imgscript pack keygen makes one")
        }
        guard status.st_mode & 0o077 == 0 else {
            throw PackError(.key, "\(path) can be read by others, and is a secret", hint: "chmod 600 \(path)")
        }
        return String(decoding: try DiskFile.bytes(at: path, limit: 1 << 16), as: UTF8.self)
    }

    /// Writes a key file that only its owner can read; never over another file.
    package func write(
        to path: String, password: String?, protection: Protection = .sensitive
    ) throws(PackError) {
        let text = try fileText(password: password, protection: protection)
        try DiskFile.write(Array(text.utf8), to: path, mode: 0o600, replacing: false)
    }
}
