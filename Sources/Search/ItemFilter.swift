import FoundationEssentials
import ProviderModel

/// Conditions that every item has to meet.
///
/// Those that a provider's parameters have, such as a date, are passed to the source, too; every item is checked here.
public struct ItemFilter: Hashable, Encodable, Sendable {
    /// Tags that the item has to have, all of them, in any case.
    public var tags: [String] = []
    /// Tags of which the item may have none, in any case.
    public var excludedTags: [String] = []
    /// The earliest date of creation.
    public var since: FilterDate?
    /// The latest date of creation.
    public var until: FilterDate?
    /// The minimum width of the largest file in pixels.
    public var minimumWidth: Int?
    /// The minimum height of the largest file in pixels.
    public var minimumHeight: Int?
    /// The minimum number of pixels of the largest file, width times height.
    public var minimumPixels: Int?
    /// The aspect ratio of the largest file.
    public var aspect: AspectRatio?
    /// The formats admitted of the largest file, by name or file extension, such as `jpeg`; empty for all.
    public var mediaFormats: [String] = []
    /// What the items may have: pictures, unless video and audio are asked for.
    public var kinds = Media.pictures
    /// The licences admitted, by id with or without a version; empty for all.
    ///
    /// `cc-by` admits `cc-by-4.0`, not `cc-by-nc-4.0`.
    public var licenses: [String] = []
    /// Whether items are left out that their source marks as AI-generated.
    public var excludesAIGenerated = false
    /// An expression of the item's fields that has to be true.
    public var expression: FilterExpression?

    /// Creates a filter that admits everything.
    public init() {}

    /// Whether the filter has no conditions besides ``kinds``.
    public var isEmpty: Bool {
        var other = self
        other.kinds = Media.pictures
        return other == ItemFilter()
    }

    /// The same text for the same conditions in every run; empty without conditions.
    ///
    /// It is made from all stored properties; words have neither case nor order.
    package var identity: String {
        // Texts, numbers and lists of them can always be written.
        guard self != ItemFilter(), let data = try? JSONEncoder().encode(self),
            case .object(let members)? = JSONValue.found(in: String(decoding: data, as: UTF8.self).lowercased().utf8)
        else { return "" }
        let conditions = members.map { member in
            let words = member.value.elements?.sorted { $0.compact < $1.compact }
            return JSONValue.Member(member.name, words.map(JSONValue.array) ?? member.value)
        }
        return JSONValue.object(conditions).withSortedMembers.compact
    }

    /// Returns the filter with those conditions of another that it has.
    ///
    /// - Parameter other: a filter whose conditions go before the same ones here.
    /// - Returns: the conditions of both.
    public func replacing(_ other: ItemFilter) -> ItemFilter {
        var filter = self
        if !other.tags.isEmpty { filter.tags = other.tags }
        if !other.excludedTags.isEmpty { filter.excludedTags = other.excludedTags }
        if !other.mediaFormats.isEmpty { filter.mediaFormats = other.mediaFormats }
        if !other.licenses.isEmpty { filter.licenses = other.licenses }
        filter.since = other.since ?? since
        filter.until = other.until ?? until
        filter.minimumWidth = other.minimumWidth ?? minimumWidth
        filter.minimumHeight = other.minimumHeight ?? minimumHeight
        filter.minimumPixels = other.minimumPixels ?? minimumPixels
        filter.aspect = other.aspect ?? aspect
        filter.expression = other.expression ?? expression
        filter.excludesAIGenerated = other.excludesAIGenerated || excludesAIGenerated
        return filter
    }

    /// Checks an item against the conditions.
    ///
    /// - Parameter item: an item with its media and licence.
    /// - Returns: whether it meets all conditions; an unknown size, date, format or licence meets none, and an item whose
    ///   source does not say how it was made is admitted.
    public func admits(_ item: Item) -> Bool {
        item.hasFile(of: kinds) && hasTags(item) && isCreatedInTime(item) && isLargeEnough(item) && hasShape(item)
            && hasFormat(item) && hasLicense(item) && !(excludesAIGenerated && item.isAIGenerated == true)
            && expression?.isTrue(of: item) != false
    }

    /// Checks a file of which nothing but its URL is known.
    ///
    /// - Parameter url: the file's URL.
    /// - Returns: whether it meets all conditions; nil where one asks for more than a URL says.
    public func admits(fileAt url: WebURL) -> Bool? {
        let media = Media(role: .original, url: url)
        let saysFormat = url.fileEnding.flatMap { MediaFormat(named: $0) } != nil
        if !mediaFormats.isEmpty, saysFormat, !hasFormat(media) { return false }
        let subject = ItemSubject(item: nil, media: media, provider: Self.noProvider, index: 1)
        if let expression, expression.asksOnlyAddress, !expression.isTrue(of: subject) { return false }
        // Kinds are told by the file itself.
        var other = self
        if saysFormat { other.mediaFormats = [] }
        other.kinds = Media.pictures
        if expression?.asksOnlyAddress == true { other.expression = nil }
        return other.isEmpty ? true : nil
    }

    /// A bare URL has its host in the place of a provider.
    private static let noProvider: ProviderID = {
        guard let provider = ProviderID("url") else { preconditionFailure("the name of bare URLs is no id") }
        return provider
    }()

    private func hasTags(_ item: Item) -> Bool {
        guard !tags.isEmpty || !excludedTags.isEmpty else { return true }
        let present = Set(item.tags.map { $0.lowercased() })
        return tags.allSatisfy { present.contains($0.lowercased()) }
            && !excludedTags.contains { present.contains($0.lowercased()) }
    }

    /// A date that is known to the year alone may be any of the year.
    private func isCreatedInTime(_ item: Item) -> Bool {
        guard since != nil || until != nil else { return true }
        guard let created = item.created.flatMap({ FilterDate(iso8601: $0) }) else { return false }
        return created.last >= since?.first ?? created.last && created.first <= until?.last ?? created.first
    }

    private func isLargeEnough(_ item: Item) -> Bool {
        guard minimumWidth != nil || minimumHeight != nil || minimumPixels != nil else { return true }
        return item.media.contains { media in
            guard let width = media.width, let height = media.height else { return false }
            return width >= minimumWidth ?? 0 && height >= minimumHeight ?? 0 && width * height >= minimumPixels ?? 0
        }
    }

    private func hasShape(_ item: Item) -> Bool {
        guard let aspect else { return true }
        guard let media = item.bestMedia, let width = media.width, let height = media.height else { return false }
        return aspect.admits(width: width, height: height)
    }

    private func hasFormat(_ item: Item) -> Bool {
        guard !mediaFormats.isEmpty else { return true }
        return item.bestMedia.map(hasFormat) ?? false
    }

    private func hasFormat(_ media: Media) -> Bool {
        guard let found = media.knownFormat else { return false }
        return mediaFormats.contains { (MediaFormat(named: $0)?.rawValue ?? $0.lowercased()) == found }
    }

    private func hasLicense(_ item: Item) -> Bool {
        guard !licenses.isEmpty else { return true }
        guard let id = item.license?.id else { return false }
        return licenses.contains { Self.isLicense(id, $0) }
    }

    /// Whether an id is the licence that is meant, or a version of it.
    static func isLicense(_ id: String, _ wanted: String) -> Bool {
        let (id, wanted) = (id.lowercased(), wanted.lowercased())
        guard id.hasPrefix(wanted) else { return false }
        let rest = id.dropFirst(wanted.count)
        // A version may follow, another clause may not: `by-nc` is not a version of `by`.
        return rest.isEmpty || rest.first == "-" && rest.dropFirst().first?.isNumber == true
    }
}

extension Media.Kind: Encodable {}

extension Media {
    /// The format's name, from the source's word for it or the file's extension.
    fileprivate var knownFormat: String? {
        for text in [format, url.fileEnding] {
            if let text, let format = MediaFormat(named: text) { return format.rawValue }
        }
        return format?.lowercased() ?? url.fileEnding
    }
}
