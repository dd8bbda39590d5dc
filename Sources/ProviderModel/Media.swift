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

    /// How the file relates to the original.
    public var role: Role
    /// The URL of its bytes.
    public var url: WebURL
    /// The width in pixels, if known.
    public var width: Int?
    /// The height in pixels, if known.
    public var height: Int?
    /// The length in bytes, if known.
    public var bytes: Int?
    /// The file format in one word, if known: `jpeg`, `png`, `webp`, `gif`.
    public var format: String?
    /// When the URL expires: an ISO 8601 date and time.
    public var expires: String?
    /// Whether the source has put a watermark on it.
    public var isWatermarked: Bool?
    /// Header lines that the file's server requires, such as `Referer`.
    public var headers: [NamedValue] = []

    /// Creates a file without size or format.
    ///
    /// - Parameters:
    ///   - role: how the file relates to the original.
    ///   - url: the URL of its bytes.
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

    /// Creates a pair.
    ///
    /// - Parameters:
    ///   - name: the name, not encoded.
    ///   - value: the value, not encoded.
    public init(_ name: String, _ value: String) {
        self.name = name
        self.value = value
    }
}
