import ProviderModel

/// What makes two runs the same crawl: what is listed, from whom, and everything that changes what a source answers.
///
/// How many images are wanted, in which page size, and which a filter lets through is not part of it.
public struct ResumeKey: Codable, Hashable, Sendable {
    /// `search`, `feed`, or `collection` with the collection's provider and id.
    public let listing: String
    /// The words searched for.
    public let text: String
    /// The providers, in alphabetical order.
    public let providers: [String]
    /// The providers' parameters.
    public let parameters: [String: String]
    /// The point searched around: `52.52,13.4`.
    public let near: String?
    /// The server chosen, for software that runs on many.
    public let instance: String?
    /// Whether the answers are recorded ones.
    public let isSample: Bool

    /// The key of a listing.
    public init(
        _ listing: Listing, text: String, providers: [String], options: SearchOptions, instance: String? = nil
    ) {
        self.listing =
            switch listing {
            case .search, .feed: listing.operation.rawValue
            case .collection(let item): "collection \(item.provider):\(item.id)"
            }
        self.text = text.trimmingSpaces
        self.providers = Set(providers).sorted()
        parameters = options.parameters
        near = options.near.map { "\($0.latitude),\($0.longitude)" }
        self.instance = instance
        isSample = options.answersAreRecorded
    }

    /// The same name for the same crawl in every run and on every machine: 32 hexadecimal digits.
    public var name: String {
        var hash = FNV1a()
        for part in [listing, text, near ?? "", instance ?? "", isSample ? "sample" : ""] { hash.combine(part) }
        hash.combine("\(providers.count)")
        for provider in providers { hash.combine(provider) }
        for (name, value) in parameters.sorted(by: { $0.key < $1.key }) {
            hash.combine(name)
            hash.combine(value)
        }
        let digits = String(hash.value, radix: 16)
        return String(repeating: "0", count: 32 - digits.count) + digits
    }
}

/// FNV-1a in 128 bits: no secret is guarded, and a file says itself whose it is.
private struct FNV1a {
    private(set) var value: UInt128 = 0x6c62_272e_07bb_0142_62b8_2175_6295_c58d

    /// Adds a text with its length, so that no two lists of texts read the same.
    mutating func combine(_ text: String) {
        for byte in "\(text.utf8.count):".utf8 { combine(byte) }
        for byte in text.utf8 { combine(byte) }
    }

    private mutating func combine(_ byte: UInt8) {
        value = (value ^ UInt128(byte)) &* 0x0000_0000_0100_0000_0000_0000_0000_013b
    }
}
