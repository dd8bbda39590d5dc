import Crypto
import FoundationEssentials

/// The SHA-256 of a pack's script, as a lockfile has it: `sha256-…`.
package struct ScriptDigest: Hashable, Sendable, Codable {
    private let text: String

    /// The digest of a script's bytes.
    package init(of bytes: [UInt8]) { text = "sha256-" + Data(SHA256.hash(data: bytes)).base64EncodedString() }

    package init(from decoder: any Decoder) throws { text = try decoder.singleValueContainer().decode(String.self) }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(text)
    }
}
