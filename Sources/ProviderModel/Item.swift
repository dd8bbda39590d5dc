/// One image or collection of a source, in the contract's terms.
public struct Item: Hashable, Sendable {
    /// Whether the item is one image, or leads to more items.
    public enum Kind: String, Sendable, CaseIterable {
        case image
        case collection
    }

    /// How a source classes what is shown.
    public enum Rating: String, Sendable, CaseIterable {
        case safe
        case sensitive
        case questionable
        case explicit
    }

    /// The source this came from.
    public var provider: ProviderID
    /// Unique within the provider.
    public var id: String
    /// The item's own title.
    public var title: String?
    /// A longer text.
    public var description: String?
    /// The web page of the item.
    public var page: WebURL?
    /// Keywords, in the source's order.
    public var tags: [String] = []
    /// Who made it.
    public var author: Author?
    /// What may be done with it.
    public var license: License?
    /// An ISO 8601 date, or date and time.
    public var created: String?
    /// Where it was made.
    public var location: Location?
    /// What it was made with.
    public var camera: Camera?
    /// Main colours as `#rrggbb`.
    public var colors: [String] = []
    /// Counts the source keeps: views, likes, downloads.
    public var stats: [Statistic] = []
    /// Image or collection.
    public var type: Kind
    /// The files to be had, best first as the source lists them.
    public var media: [Media] = []
    /// How the source classes it.
    public var rating: Rating?
    /// What the source says beyond the contract, a JSON object.
    public var extra: JSONText?

    /// An item with nothing but its identity.
    public init(provider: ProviderID, id: String, type: Kind = .image) {
        self.provider = provider
        self.id = id
        self.type = type
    }
}

/// A named count: views, likes, downloads.
public struct Statistic: Hashable, Sendable {
    /// The name as the provider gives it.
    public var name: String
    /// The count.
    public var value: Double

    /// A count of something.
    public init(name: String, value: Double) {
        self.name = name
        self.value = value
    }
}
