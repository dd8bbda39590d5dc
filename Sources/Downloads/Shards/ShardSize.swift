import ProviderModel

/// When a shard is full.
public enum ShardSize: Hashable, Sendable {
    /// As soon as another sample would make it longer than this.
    case bytes(Int)
    /// With so many samples.
    case samples(Int)

    /// The usual size with fast disks and networks: few files, but enough to spread over workers.
    public static let `default` = ShardSize.bytes(1_000_000_000)

    /// Reads `1GB`, `500MB`, `1GiB`, or a number of samples such as `10000`.
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
