import ProviderModel

/// The size at which a shard is complete.
public enum ShardSize: Hashable, Sendable {
    /// The maximum length in bytes.
    case bytes(Int)
    /// The number of samples.
    case samples(Int)

    /// 1 GB: few files, but enough to distribute over workers.
    public static let `default` = ShardSize.bytes(1_000_000_000)

    /// Parses a size.
    ///
    /// - Parameter text: a size such as `1GB`, `500MB` or `1GiB`, from 1 byte to 1 PB, or a number of samples such as `10000`.
    /// - Throws: ``DownloadError`` with the code `option` for another text.
    public init(_ text: String) throws(DownloadError) {
        let digits = text.prefix { $0.isASCII && ($0.isNumber || $0 == ".") }
        let unit = text[digits.endIndex...].trimmingSpaces.lowercased()
        let units = [
            "kb": 1e3, "mb": 1e6, "gb": 1e9, "tb": 1e12, "k": 1e3, "m": 1e6, "g": 1e9, "t": 1e12,
            "kib": 0x1p10, "mib": 0x1p20, "gib": 0x1p30, "tib": 0x1p40,
        ]
        if unit.isEmpty, let count = Int(digits), count > 0 {
            self = .samples(count)
        } else if let number = Double(digits), let factor = units[unit], (1...1e15).contains(number * factor) {
            self = .bytes(Int(number * factor))
        } else {
            throw DownloadError(
                .option,
                "invalid shard size \(text.quoted) (expected a size such as 1GB, or a number of images such as 10000)")
        }
    }

    /// Whether a sample of so many bytes goes beyond a shard of this length.
    func isFull(_ length: Int, _ samples: Int, adding bytes: Int) -> Bool {
        guard samples > 0 else { return false }
        return switch self {
        case .bytes(let limit): length + bytes + TarHeader.endLength > limit
        case .samples(let limit): samples >= limit
        }
    }
}
