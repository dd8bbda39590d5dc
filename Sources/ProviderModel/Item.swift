/// An image or a collection of a source.
public struct Item: Hashable, Sendable {
    /// What an item shows, or a collection that leads to more items.
    public enum Kind: String, Sendable, CaseIterable {
        case image
        /// A moving picture.
        case animation
        case video
        case collection
    }

    /// The source's content rating.
    public enum Rating: String, Sendable, CaseIterable {
        case safe
        case sensitive
        case questionable
        case explicit
    }

    /// The source of the item.
    public var provider: ProviderID
    /// The source's id, unique within the provider.
    public var id: String
    /// The title.
    public var title: String?
    /// A longer text.
    public var description: String?
    /// The URL of the item's web page.
    public var page: WebURL?
    /// Keywords, in the source's order.
    public var tags: [String] = []
    /// What is to be seen, for those who cannot see it.
    public var alt: String?
    /// The author, or the first of several.
    public var author: Author?
    /// All authors where there are several.
    public var authors: [Author] = []
    /// The line by which the source wants the item credited.
    public var credit: String?
    /// The licence.
    public var license: License?
    /// The date of creation: an ISO 8601 date, or date and time.
    public var created: String?
    /// The end of the time in which it was created, where that is longer than ``created`` says.
    public var createdUntil: String?
    /// The place of creation.
    public var location: Location?
    /// The camera.
    public var camera: Camera?
    /// Main colours as `#rrggbb`.
    public var colors: [String] = []
    /// Counts of the source: views, likes, downloads.
    public var stats: [Statistic] = []
    /// What it shows, or that it is a collection.
    public var type: Kind
    /// The item's files in all their sizes, in the source's order; ``files`` groups them.
    public var media: [Media] = []
    /// The source's content rating.
    public var rating: Rating?
    /// Whether a model generated the image, as the source says; nil where it says nothing.
    public var isAIGenerated: Bool?
    /// The source's data beyond the contract: a JSON object.
    public var extra: JSONText?

    /// Creates an item without media or metadata.
    ///
    /// - Parameters:
    ///   - provider: the source of the item.
    ///   - id: the source's id, unique within the provider.
    ///   - type: what it shows, or that it is a collection.
    public init(provider: ProviderID, id: String, type: Kind = .image) {
        self.provider = provider
        self.id = id
        self.type = type
    }
}

/// A named count: views, likes, downloads.
public struct Statistic: Hashable, Sendable {
    /// The source's name for the count.
    public var name: String
    /// The count.
    public var value: Double

    /// Creates a count.
    ///
    /// - Parameters:
    ///   - name: the source's name for it, such as `views`.
    ///   - value: the count.
    public init(name: String, value: Double) {
        self.name = name
        self.value = value
    }
}

extension Item {
    /// Reads an item that a script gave, which has no provider yet.
    package init(_ reader: inout ContractReader) throws(ContractViolation) {
        try self.init(&reader, ItemSchema.contract)
    }

    /// Reads an item from JSON text as ``write(to:)`` writes it; members of other names are ignored.
    ///
    /// - Throws: ``ContractViolation`` with the place of what is missing or of another type.
    package init(json text: [UInt8]) throws(ContractViolation) {
        self = try ContractReader.read(text, rules: .types) { reader throws(ContractViolation) in
            try Item(&reader, ItemSchema.item)
        }
    }

    private init(_ reader: inout ContractReader, _ schema: Schema<Item>) throws(ContractViolation) {
        self.init(provider: .unset, id: "")
        var item = self
        item.extra = try reader.item { reader throws(ContractViolation) in
            try reader.fields(of: schema, into: &item)
        }
        item.author = item.author ?? item.authors.first
        self = item
    }

    /// Writes the item as a JSON object with the contract's field names, its provider first.
    ///
    /// - Parameter json: receives the object.
    public func write(to json: inout JSONWriter) {
        json.object { ItemSchema.item.write(self, to: &$0) }
    }

    /// Writes the item with the contract's field names, its provider first and members of the caller's last.
    package func write(to json: inout JSONWriter, then more: (inout JSONWriter) -> Void) {
        json.object { json in
            ItemSchema.item.write(self, to: &json)
            more(&json)
        }
    }

    /// The item as a script knows it: without its provider.
    package var contractJSON: JSONText {
        var writer = JSONWriter()
        writer.object { ItemSchema.contract.write(self, to: &$0) }
        return JSONText(validated: writer.text)
    }
}

extension Page {
    /// Reads a page that a script gave.
    package init(_ reader: inout ContractReader) throws(ContractViolation) {
        self.init(items: [])
        try reader.fields(of: Self.schema, into: &self)
    }

    /// Writes the page with the contract's field names, its items without their provider.
    package func write(to json: inout JSONWriter) {
        json.object { Self.schema.write(self, to: &$0) }
    }
}

extension Media {
    /// Reads a file that a script gave.
    package init(_ reader: inout ContractReader) throws(ContractViolation) {
        self.init(role: .original, url: .unset)
        try reader.fields(of: ItemSchema.media, into: &self)
    }

    /// Writes the file as a JSON object with the contract's field names.
    ///
    /// - Parameter json: receives the object.
    public func write(to json: inout JSONWriter) {
        json.object { ItemSchema.media.write(self, to: &$0) }
    }
}

/// The shape is that of `-f json`: ``write(to:)``.
extension Item: Codable {
    /// Decodes an item; members with other names are ignored.
    ///
    /// - Parameter decoder: gives an object as ``write(to:)`` writes it.
    /// - Throws: `DecodingError.dataCorrupted` with the path of the member that is missing or has another type, or an error of
    ///   the decoder.
    public init(from decoder: any Decoder) throws {
        do {
            try self.init(json: Array(JSONValue(from: decoder).compact.utf8))
        } catch let violation as ContractViolation {
            throw DecodingError.dataCorrupted(
                .init(codingPath: decoder.codingPath, debugDescription: violation.text, underlyingError: violation))
        }
    }

    /// Encodes the item with the contract's field names.
    ///
    /// - Parameter encoder: receives the object.
    /// - Throws: an error of the encoder.
    public func encode(to encoder: any Encoder) throws {
        var json = JSONWriter()
        write(to: &json)
        try JSONValue(parsing: json.bytes).encode(to: encoder)
    }
}
