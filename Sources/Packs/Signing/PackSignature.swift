/// A signature in minisign's form: of the archive, and of the first signature with its trusted comment.
package struct PackSignature: Hashable, Sendable {
    /// The key that made it.
    package let keyID: SigningKeyID
    /// Whether the archive's BLAKE2b was signed, and not the archive itself, as old versions of minisign did.
    package let isPrehashed: Bool
    /// The signer's comment on the archive, which is signed as well.
    package let trustedComment: String
    let bytes: [UInt8]
    let globalBytes: [UInt8]
    private let untrustedComment: String

    static let digestSize = 64
    private static let signatureSize = 64
    private static let prehashed = Array("ED".utf8)
    private static let legacy = Array("Ed".utf8)

    init(
        keyID: SigningKeyID, isPrehashed: Bool, trustedComment: String, bytes: [UInt8], globalBytes: [UInt8],
        untrustedComment: String
    ) {
        self.keyID = keyID
        self.isPrehashed = isPrehashed
        self.trustedComment = trustedComment
        self.bytes = bytes
        self.globalBytes = globalBytes
        self.untrustedComment = untrustedComment
    }

    /// Reads the text of a `.minisig` file.
    package init(parsing text: String) throws(PackError) {
        var lines = MinisignText(text, what: "signature", code: .signature)
        untrustedComment = try lines.comment(MinisignText.untrusted)
        let first = try lines.bytes(2 + SigningKeyID.size + Self.signatureSize)
        guard first.starts(with: Self.prehashed) || first.starts(with: Self.legacy) else {
            throw lines.damaged("expected an Ed25519 signature")
        }
        isPrehashed = first.starts(with: Self.prehashed)
        keyID = SigningKeyID(first[2..<(2 + SigningKeyID.size)])
        bytes = Array(first[(2 + SigningKeyID.size)...])
        trustedComment = try lines.comment(MinisignText.trusted)
        globalBytes = try lines.bytes(Self.signatureSize)
        guard lines.isAtEnd else { throw lines.damaged("it has more than four lines") }
    }

    /// Reads a `.minisig` file.
    package static func read(fileAt path: String) throws(PackError) -> PackSignature {
        let text = String(decoding: try FileSystem.bytes(at: path, limit: 1 << 16), as: UTF8.self)
        do { return try PackSignature(parsing: text) } catch { throw error.about(path) }
    }

    /// Where the signature of an archive lies.
    package static func path(forArchiveAt path: String) -> String { path + ".minisig" }

    /// The trusted comment that minisign writes.
    package static func trustedComment(forFile name: String, at seconds: Int) -> String {
        "timestamp:\(seconds)\tfile:\(name)\thashed"
    }

    /// The text of a `.minisig` file.
    package var text: String {
        let first = (isPrehashed ? Self.prehashed : Self.legacy) + keyID.bytes + bytes
        return """
            \(MinisignText.untrusted)\(untrustedComment)
            \(MinisignText.base64(first))
            \(MinisignText.trusted)\(trustedComment)
            \(MinisignText.base64(globalBytes))

            """
    }

    /// What the second signature is of.
    var globallySigned: [UInt8] { Self.globallySigned(bytes, trustedComment) }

    static func globallySigned(_ signature: [UInt8], _ comment: String) -> [UInt8] { signature + Array(comment.utf8) }
}
