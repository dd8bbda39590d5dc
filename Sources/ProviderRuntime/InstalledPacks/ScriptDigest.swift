import Crypto
import FoundationEssentials
import ProviderModel

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

/// A checksum in a file of JSON that imgscript writes: one changed byte would be another value, which reads as well.
extension JSONValue {
    private static let checksumName = "checksum"

    /// The object with a checksum of its members and of what it describes, in place of one that it has.
    package func withChecksum(for subject: String) -> JSONValue {
        var members = withoutChecksum.members ?? []
        members.append(Member(Self.checksumName, .text(checksum(for: subject))))
        return .object(members).withSortedMembers
    }

    /// Whether the members are those that were written for this subject.
    package func hasRightChecksum(for subject: String) -> Bool {
        self[Self.checksumName]?.textValue == checksum(for: subject)
    }

    /// 64 bits are enough against accidents.
    private func checksum(for subject: String) -> String {
        let text = JSONValue.array([.text(subject), withoutChecksum.withSortedMembers]).compact
        return Array(SHA256.hash(data: Array(text.utf8)).prefix(8)).hexadecimal
    }

    private var withoutChecksum: JSONValue {
        .object((members ?? []).filter { $0.name != Self.checksumName })
    }
}
