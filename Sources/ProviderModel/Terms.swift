/// What a source asks of those who use it.
public struct Terms: Hashable, Sendable {
    /// Where the terms stand.
    public var url: WebURL?
    /// How long an answer has to be kept, in seconds, before the same is asked again.
    public var cacheAtLeast: Int?
    /// How long an answer may be kept at most, in seconds, whatever it says itself.
    public var cacheAtMost: Int?
    /// Whether image URLs may be shown from the source's own servers; nil when the terms do not say.
    public var allowsHotlinking: Bool?
    /// The line to show with an image; `{author.name}` and other fields of an item stand for their values.
    public var attribution: String?
    /// A sentence that applications which use the source have to show, once, not with every image.
    public var notice: String?
    /// The kind of licence the items carry: `Pixabay Content License`, `Creative Commons`.
    public var license: String?

    package init() {}
}
