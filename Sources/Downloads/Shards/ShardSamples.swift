import FoundationEssentials
import ProviderModel

/// The whole samples of a shard, one after another: an image, and behind it the JSON that says what it is.
struct ShardSamples {
    struct Sample {
        var key: MediaKey
        var name: String
        var ending: String
        var sha256: [UInt8]
        /// The image's length.
        var bytes: Int
        /// Whether the image is the one that its JSON describes.
        var isIntact: Bool
        /// Where the next one begins.
        var end: Int
    }

    private let content: any FileContent
    private var reader: TarReader

    init(_ content: some FileContent) {
        self.content = content
        reader = TarReader(content)
    }

    /// The next sample; nil where the shard ends or breaks off.
    mutating func next() throws(DownloadError) -> Sample? {
        guard let image = try reader.next(), let json = try reader.next(), json.name.hasSuffix(".json"),
            json.content.count < 16 << 20
        else { return nil }
        let name = String(json.name.dropLast(".json".count))
        guard image.name.hasPrefix(name + "."), let said = try description(json.content),
            let sha256 = said.sha256.hexadecimalBytes
        else { return nil }
        let isIntact = try digest(image.content) == sha256
        let ending = String(image.name.dropFirst(name.count + 1))
        return Sample(
            key: MediaKey(stored: said.key), name: name, ending: ending, sha256: sha256, bytes: image.content.count,
            isIntact: isIntact, end: json.end)
    }

    private struct Description: Decodable {
        struct Fetched: Decodable {
            var key: String
            var sha256: String
        }

        var fetched: Fetched
    }

    private func description(_ range: Range<Int>) throws(DownloadError) -> Description.Fetched? {
        let bytes = try content.bytes(at: range.lowerBound, count: range.count)
        // What does not read was not written here, or not to its end.
        return try? JSONDecoder().decode(Description.self, from: Data(bytes)).fetched
    }

    private func digest(_ range: Range<Int>) throws(DownloadError) -> [UInt8]? {
        var hasher = ContentHasher(withSHA256: true)
        var offset = range.lowerBound
        while offset < range.upperBound {
            let bytes = try content.bytes(at: offset, count: min(range.upperBound - offset, 256 << 10))
            guard !bytes.isEmpty else { break }
            bytes.withUnsafeBytes { hasher.update($0) }
            offset += bytes.count
        }
        return hasher.finish().sha256
    }
}
