import Crypto
import FoundationEssentials

/// The SHA-512 of an archive as npm and browsers write it: `sha512-…`.
package struct PackIntegrity: Hashable, Sendable, CustomStringConvertible {
    private let digest: [UInt8]

    private static let prefix = "sha512-"

    /// The integrity of bytes.
    package init(of bytes: some DataProtocol) { digest = Array(SHA512.hash(data: bytes)) }

    /// The SHA-512 of a list such as `sha1-… sha512-…`; nil when there is none.
    package init?(_ text: String) {
        for word in text.split(whereSeparator: \.isWhitespace) where word.hasPrefix(Self.prefix) {
            // What follows a question mark are options, of which there are none yet.
            let code = word.dropFirst(Self.prefix.count).prefix { $0 != "?" }
            guard let data = Data(base64Encoded: String(code)), data.count == SHA512.byteCount else { continue }
            digest = Array(data)
            return
        }
        return nil
    }

    /// The integrity of a file's bytes.
    package init(ofFileAt path: String) throws(PackError) {
        self.init(of: try DiskFile.bytes(at: path, limit: PackArchive.Limits.standard.compressed))
    }

    /// The text as it stands in a lockfile or a registry's answer.
    package var description: String { Self.prefix + Data(digest).base64EncodedString() }
}
