import ProviderModel

/// A key that signatures are checked with, in minisign's form.
package struct PublicKey: Hashable, Sendable, CustomStringConvertible {
    /// The number that its signatures bear.
    package let id: SigningKeyID
    private let key: [UInt8]

    private static let algorithm = Array("Ed".utf8)
    private static let keySize = 32
    private static let size = 2 + SigningKeyID.size + keySize

    init(id: SigningKeyID, key: [UInt8]) {
        self.id = id
        self.key = key
    }

    /// Reads the text of a `.pub` file, or its second line alone, as it is published on web pages.
    package init(parsing text: String) throws(PackError) {
        var lines = MinisignText(text, what: "public key", code: .key)
        if text.hasPrefix(MinisignText.untrusted.dropLast()) { _ = try lines.comment(MinisignText.untrusted) }
        let bytes = try lines.bytes(Self.size)
        guard bytes.starts(with: Self.algorithm), lines.isAtEnd else {
            throw lines.damaged("expected an Ed25519 key such as RWQ… in one line")
        }
        self.init(
            id: SigningKeyID(bytes[2..<(2 + SigningKeyID.size)]), key: Array(bytes[(2 + SigningKeyID.size)...]))
    }

    /// The key that a user names: its line, or the path of a `.pub` file.
    package static func named(_ text: String) throws(PackError) -> PublicKey {
        // The line may hold slashes, as base64 does; it is recognized by its form.
        if let key = try? PublicKey(parsing: text) { return key }
        guard let bytes = try FileSystem.bytesIfPresent(at: text, limit: 1 << 16) else {
            throw PackError(
                .key, "\(text.quoted) is not a minisign public key (RW…, 56 characters) or a file",
                hint: .createSigningKey
            )
        }
        do { return try PublicKey(parsing: String(decoding: bytes, as: UTF8.self)) } catch { throw error.about(text) }
    }

    /// The key in one line: `RWQ…`.
    package var description: String { MinisignText.base64(Self.algorithm + id.bytes + key) }

    /// The text of a `.pub` file.
    package var fileText: String { "\(MinisignText.untrusted)minisign public key \(id)\n\(description)\n" }

    /// Throws for a signature by another key, of other bytes, or with a changed trusted comment; `what` is what was signed.
    package func verify(
        _ signature: PackSignature, of bytes: [UInt8], as what: String = "pack"
    ) throws(PackError) {
        let fetchAgain: Hint = "do not use the \(what); get it and its signature from its author again"
        guard signature.keyID == id else {
            throw PackError(.signature, "wrong key: the signature is by \(signature.keyID) (expected \(id))")
        }
        let sodium = try Sodium()
        let signed = signature.isPrehashed ? sodium.blake2b(bytes, size: PackSignature.digestSize) : bytes
        guard sodium.isSignature(signature.bytes, of: signed, by: key) else {
            throw PackError(
                .signature,
                "the signature does not match the \(what == "pack" ? "archive" : what): one of them was changed",
                hint: fetchAgain)
        }
        guard sodium.isSignature(signature.globalBytes, of: signature.globallySigned, by: key) else {
            throw PackError(.signature, "the trusted comment of the signature was changed", hint: fetchAgain)
        }
    }
}
