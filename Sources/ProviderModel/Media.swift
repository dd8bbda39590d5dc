/// One file of an item.
public struct Media: Hashable, Sendable {
    /// How a file relates to the original, from the largest to the smallest.
    public enum Role: String, Sendable, CaseIterable {
        case original
        case large
        case regular
        case small
        case thumbnail
    }

    /// The file's place among the item's sizes.
    public var role: Role
    /// Where the bytes are.
    public var url: WebURL
    /// In pixels.
    public var width: Int?
    /// In pixels.
    public var height: Int?
    /// The file's length.
    public var bytes: Int?
    /// How it is written, in one word: `jpeg`, `png`, `webp`, `gif`.
    public var format: String?
    /// When the URL stops working, an ISO 8601 date and time.
    public var expires: String?
    /// Whether the source has stamped its mark on it.
    public var isWatermarked: Bool?
    /// Headers the file's server asks for, such as `Referer`.
    public var headers: [NamedValue] = []

    /// A file.
    public init(role: Role, url: WebURL) {
        self.role = role
        self.url = url
    }
}

/// A name with its value: one header line, one query pair, one form field.
public struct NamedValue: Hashable, Sendable {
    /// The name.
    public var name: String
    /// The value.
    public var value: String

    /// A name with its value.
    public init(_ name: String, _ value: String) {
        self.name = name
        self.value = value
    }
}
