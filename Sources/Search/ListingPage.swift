import FoundationEssentials
import ProviderModel

/// One page of one provider's listing, for those who page themselves.
public struct ListingPage: Sendable {
    /// The page's items that the options let through, in the source's order.
    public let items: [Item]
    /// How many items the source says there are.
    public let total: Int?
    /// Items that a filter left out.
    public let filtered: Int
    /// Where the next page begins; nil at the end.
    public let next: PageCursor?

    /// Asks a source for the page after `cursor`, the first one for nil.
    package init(
        of listing: Listing, from source: any ImageSource, after cursor: PageCursor?, _ options: SearchOptions
    ) async throws {
        let manifest = source.manifest
        var query = try QueryBuilder(manifest: manifest, listing: listing).query(options)
        cursor?.progress.resume(&query, of: manifest)
        var sequence = PageSequence(
            query: query, manifest: manifest, operation: listing.operation, after: cursor?.progress,
            answersAreRecorded: options.answersAreRecorded)
        let found = try sequence.advance(past: try await source.page(of: listing, for: query))
        items = found.filter(options.filter.admits)
        filtered = found.count - items.count
        total = sequence.total
        var progress = cursor?.progress ?? ResumeProgress()
        for item in found { progress.skip(item.id) }
        progress.complete(sequence.completedPage(leavingOut: []))
        progress.total = total
        next = sequence.isFinished ? nil : PageCursor(progress)
    }
}

/// Where the next page of a listing begins.
///
/// It can be kept as text and given to another engine later; it says nothing of the listing, which has to be the same.
public struct PageCursor: Hashable, Sendable, LosslessStringConvertible {
    let progress: ResumeProgress

    init(_ progress: ResumeProgress) { self.progress = progress }

    /// A cursor from its text; nil for what no listing gave.
    public init?(_ text: String) {
        guard text.utf8.count <= 1 << 20, let data = Data(base64Encoded: text),
            // A text that is no cursor gives nil.
            let progress = try? JSONDecoder().decode(ResumeProgress.self, from: data), progress.isValid
        else { return nil }
        self.progress = progress
    }

    /// The cursor as text of letters, digits, `+`, `/` and `=`.
    public var description: String {
        // Numbers and strings can always be written.
        (try? JSONEncoder().encode(progress))?.base64EncodedString() ?? ""
    }
}

extension PageCursor: Codable {
    /// Reads the cursor's text.
    public init(from decoder: any Decoder) throws {
        let text = try decoder.singleValueContainer().decode(String.self)
        guard let cursor = PageCursor(text) else {
            throw DecodingError.dataCorrupted(
                .init(codingPath: decoder.codingPath, debugDescription: "invalid cursor (expected one from a page)"))
        }
        self = cursor
    }

    /// Writes the cursor's text.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(description)
    }
}

extension ResumeProgress {
    /// Whether this is a place that a listing may come to: a cursor is untrusted.
    var isValid: Bool {
        guard delivered >= 0, total ?? 0 >= 0 else { return false }
        guard let position else { return true }
        // Far below where adding and multiplying could overflow.
        let bound = 1 << 40
        return (1...bound).contains(position.page) && (0...bound).contains(position.offset)
            && (1...1_000_000).contains(position.pageSize)
            && position.cursor.map { JSONValue.found(in: $0.utf8) != nil } ?? true
    }
}
