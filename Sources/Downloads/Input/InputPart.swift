import Crypto
import ProviderModel

/// One of N parts of an input: which part something belongs to depends on nothing but its key and N.
///
/// The key is `provider:id` for items and `url:` with the URL for bare URLs. Its SHA-256 begins with eight bytes that, read as a
/// big-endian number, leave the part as their remainder modulo N. This holds in every version and on every machine.
public struct InputPart: Hashable, Sendable, CustomStringConvertible {
    /// The number of the part, from 1.
    public let number: Int
    /// The number of parts.
    public let count: Int

    /// Parses a part, such as `3/8`.
    ///
    /// - Parameter text: the part's number and the number of parts; part 0 is the last, for callers that count from 0.
    /// - Throws: ``DownloadError`` with the code `option` for another text.
    public init(_ text: String) throws(DownloadError) {
        let parts = text.split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count == 2, let number = Int(parts[0]), let count = Int(parts[1]), count > 0,
            (0...count).contains(number)
        else {
            throw DownloadError(
                .option, "invalid shard \(text.quoted) (expected a part and the number of parts, such as 3/8)"
            )
        }
        self.number = number == 0 ? count : number
        self.count = count
    }

    /// `3/8`.
    public var description: String { "\(number)/\(count)" }

    /// Whether an item belongs to the part.
    package func contains(_ item: Item) -> Bool { contains(key: "\(item.provider):\(item.id)") }

    /// Whether a bare URL belongs to the part.
    package func contains(_ url: WebURL) -> Bool { contains(key: MediaKey(url).description) }

    private func contains(key: String) -> Bool {
        var hash: UInt64 = 0
        for byte in Crypto.SHA256.hash(data: Array(key.utf8)).prefix(8) { hash = hash << 8 | UInt64(byte) }
        return hash % UInt64(count) == UInt64(number % count)
    }
}
