import Hummingbird
import ImgScript
import ProviderModel

/// Which images are asked for, as the address of a request says it.
struct ListingRequest {
    /// What is listed.
    enum Subject {
        case search(String)
        case feed
        case collection(String)
    }

    let subject: Subject
    /// The providers; none for the default ones.
    let providers: [String]
    let options: SearchOptions
    let cursor: ListingCursor?

    private static let names = [
        "q", "feed", "collection", "provider", "cursor", "limit", "page-size", "near", "tag", "min-width",
        "min-height", "license", "param.",
    ]

    init(_ request: Request) throws(APIError) {
        let query = try QueryParameters(request)
        try query.check(Self.names)
        subject = try Self.subject(query)
        providers = query.values("provider")
        guard providers.count <= 256 else { throw .invalid("too many providers (expected at most 256)") }
        cursor = try Self.cursor(query)
        options = try Self.options(query)
    }

    private static func subject(_ query: QueryParameters) throws(APIError) -> Subject {
        let subjects: [Subject] = [
            try query.value("q").map { .search($0) }, try query.value("feed").map { _ in .feed },
            try query.value("collection").map { .collection($0) },
        ].compactMap(\.self)
        guard subjects.count == 1, let subject = subjects.first else {
            throw .invalid("found \(subjects.count) of q, feed and collection (expected one of them)")
        }
        return subject
    }

    private static func cursor(_ query: QueryParameters) throws(APIError) -> ListingCursor? {
        let texts = query.values("cursor")
        guard texts.count <= 256 else { throw .invalid("too many cursors (expected at most 256)") }
        let cursors = texts.compactMap { ListingCursor($0) }
        guard cursors.count == texts.count else { throw .invalid("cursor is not valid (expected next of a part)") }
        do { return try ListingCursor.joining(cursors) } catch { throw .invalid(error.message) }
    }

    private static func options(_ query: QueryParameters) throws(APIError) -> SearchOptions {
        var options = SearchOptions()
        options.limit = try query.number("limit", within: 1...500) ?? 30
        options.pageSize = try query.number("page-size", within: 1...500)
        options.filter.minimumWidth = try query.number("min-width", within: 1...1_000_000)
        options.filter.minimumHeight = try query.number("min-height", within: 1...1_000_000)
        options.filter.tags = query.values("tag").filter { !$0.isEmpty }
        options.filter.licenses = query.values("license").filter { !$0.isEmpty }
        if let text = try query.value("near") {
            let parts = text.split(separator: ",").compactMap { Double($0) }
            guard parts.count == 2, let point = ProviderQuery.Point(latitude: parts[0], longitude: parts[1]) else {
                throw .invalid("near is \(text.quoted) (expected latitude,longitude in degrees)")
            }
            options.near = point
        }
        options.skipsUnknownParameters = true
        for name in query.names where name.hasPrefix("param.") {
            let value = try query.value(name) ?? ""
            let rest = String(name.dropFirst("param.".count))
            let parts = rest.split(separator: ".", maxSplits: 1).map(String.init)
            // A provider's id has no dot.
            if parts.count == 2 {
                options.parametersByProvider[parts[0], default: [:]][parts[1]] = value
            } else {
                options.parameters[rest] = value
            }
        }
        return options
    }
}
