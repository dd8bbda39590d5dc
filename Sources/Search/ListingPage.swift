import FoundationEssentials
import ProviderModel

/// One page of one provider's listing, for callers that page themselves.
///
/// ```swift
/// let fox = Listing.search("red fox")
/// let first = try await engine.page(of: fox, in: "openverse")
/// guard let text = first.next?.description else { return }  // the cursor as text: to store it, or to send it to a client
/// let second = try await engine.page(of: fox, in: "openverse", after: PageCursor(text))
/// ```
public struct ListingPage: Sendable {
    /// The page's items that pass ``SearchOptions/filter``, in the source's order.
    public let items: [Item]
    /// The total number of items that the source reports, if it does.
    public let total: Int?
    /// The number of items that the filter left out.
    public let filtered: Int
    /// The cursor of the next page; nil after the last page.
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
        for item in found { progress.handOut(item.id) }
        progress.complete(sequence.completedPage(leavingOut: []))
        progress.total = total
        next = sequence.isFinished ? nil : PageCursor(progress)
    }
}

/// The position of the next page in one provider's listing.
///
/// It may be stored as text and used with another engine. It does not name the listing: provider, query and parameters have
/// to be the same.
public struct PageCursor: Hashable, Sendable, LosslessStringConvertible {
    let progress: ResumeProgress

    init(_ progress: ResumeProgress) { self.progress = progress }

    /// Parses a cursor; nil when `text` is not one.
    ///
    /// - Parameter text: the ``description`` of a cursor, at most 1 MiB. A cursor from a client is validated.
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
    /// Decodes a cursor from a string.
    ///
    /// - Parameter decoder: gives the cursor's ``description``.
    /// - Throws: `DecodingError`, `dataCorrupted` for a string that is not a cursor.
    public init(from decoder: any Decoder) throws {
        let text = try decoder.singleValueContainer().decode(String.self)
        guard let cursor = PageCursor(text) else {
            throw DecodingError.dataCorrupted(
                .init(codingPath: decoder.codingPath, debugDescription: "invalid cursor (expected one from a page)"))
        }
        self = cursor
    }

    /// Encodes the cursor as a string.
    ///
    /// - Parameter encoder: receives the cursor's ``description``.
    /// - Throws: an error of the encoder.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(description)
    }
}

extension ResumeProgress {
    /// Whether this is a place that a listing may come to: a cursor is untrusted.
    var isValid: Bool {
        // Far below where adding and multiplying could overflow.
        let bound = 1 << 40
        guard [delivered, repeated, pages, total ?? 0].allSatisfy((0...bound).contains) else { return false }
        guard let position else { return true }
        return (1...bound).contains(position.page) && (0...bound).contains(position.offset)
            && (1...1_000_000).contains(position.pageSize)
            && position.cursor.map { JSONValue.found(in: $0.utf8) != nil } ?? true
    }
}
