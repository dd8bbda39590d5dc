/// The operations of a provider.
public enum Operation: String, Sendable, CaseIterable, CustomStringConvertible {
    /// Items that match a text.
    case search
    /// A list without a search text: recent, popular, editorial.
    case feed
    /// Everything that the source has about one item.
    case details
    /// The items of an album, a gallery or a user.
    case collection
    /// The last request before a media file is fetched: the final URL, or a report of its use.
    case download
    /// A login, or a guest token.
    case session

    /// The name in scripts.
    public var description: String { rawValue }
}
