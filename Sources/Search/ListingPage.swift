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

    /// Asks a source for the page after `cursor`, the first one for nil; throws for a cursor of another listing.
    package init(
        of listing: Listing, from source: any ImageSource, after cursor: PageCursor?, _ options: SearchOptions,
        on server: String? = nil
    ) async throws {
        let manifest = source.manifest
        let name = manifest.id.description
        let digest = ResumeKey.digest(of: listing, in: [name], options, on: server.map { [name: $0] } ?? [:])
        guard cursor?.listing ?? digest == digest else { throw ProviderError.otherListing }
        var sequence = PageSequence(
            query: try QueryBuilder(manifest: manifest, listing: listing).query(options), manifest: manifest,
            operation: listing.operation, after: cursor?.progress, answersAreRecorded: options.answersAreRecorded)
        let found = try sequence.advance(past: try await source.page(of: listing, for: sequence.query))
        items = found.filter(options.filter.admits)
        filtered = found.count - items.count
        total = sequence.total
        var progress = cursor?.progress ?? ResumeProgress()
        for item in found { progress.handOut(item.id) }
        progress.complete(sequence.completedPage)
        progress.total = total
        next = sequence.isFinished ? nil : PageCursor(progress, of: digest)
    }
}

/// The position of the next page in one provider's listing.
///
/// It may be stored as text and used with another engine. It is bound to its listing: with another provider, query, parameter or
/// filter it is refused.
public struct PageCursor: Hashable, Sendable, LosslessStringConvertible {
    /// The cursor as it is written.
    private struct Contents: Codable {
        let listing: UInt64
        let progress: ResumeProgress
    }

    let progress: ResumeProgress
    /// The digest of the listing that it is of.
    let listing: UInt64

    init(_ progress: ResumeProgress, of listing: UInt64) { (self.progress, self.listing) = (progress, listing) }

    /// Parses a cursor; nil when `text` is not one.
    ///
    /// - Parameter text: the ``description`` of a cursor, at most 1 MiB. A cursor from a client is validated.
    public init?(_ text: String) {
        guard text.utf8.count <= 1 << 20, let data = Data(base64Encoded: text),
            // A text that is no cursor gives nil.
            let contents = try? JSONDecoder().decode(Contents.self, from: data), contents.progress.isValid
        else { return nil }
        self.init(contents.progress, of: contents.listing)
    }

    /// The cursor as text of letters, digits, `+`, `/` and `=`.
    public var description: String {
        // Numbers and strings can always be written.
        (try? JSONEncoder().encode(Contents(listing: listing, progress: progress)))?.base64EncodedString() ?? ""
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
            && (1...1_000_000).contains(position.pageSize) && (0...bound).contains(position.received)
            && (0...bound).contains(position.largestPage)
            && position.cursor.map { JSONValue.found(in: $0.utf8) != nil } ?? true
    }
}
