import ProviderModel

/// The call of a provider that recorded answers belong to: enough to make it again.
///
/// ```json
/// { "operation": "search", "query": { "text": "coffee", "params": { "order": "latest" } } }
/// ```
package struct RecordedCall: Hashable, Sendable, CustomStringConvertible {
    /// What was asked.
    package var operation: ProviderOperation
    /// The words that were searched for.
    package var text = ""
    /// Items per page; nil for the provider's default.
    package var limit: Int?
    /// The number of the page, from 1, where it is not the first.
    package var page: Int?
    /// The index of the page's first item, where it is not the first page.
    package var offset: Int?
    /// How many pages were recorded of a listing that has more; nil where its end was recorded, or is not known.
    package var pages: Int?
    /// The provider's own parameters, as users type them.
    package var parameters: [NamedValue] = []
    /// The point that was searched around.
    package var near: ProviderQuery.Point?
    /// The address of the image that was compared; nil for a file.
    package var image: WebURL?
    /// The id of the item; nil for a search and a feed.
    package var item: String?
    /// Which of the item's files was downloaded; nil for all but a download.
    package var media: Int?

    /// Creates a call.
    package init(
        _ operation: ProviderOperation, text: String = "", limit: Int? = nil, item: String? = nil, media: Int? = nil
    ) {
        self.operation = operation
        self.text = text
        self.limit = limit
        self.item = item
        self.media = media
    }

    /// Whether this is the same call as another, where one that names no page size may be of any, or all may.
    package func isSame(as other: RecordedCall, withAnyLimit: Bool = false) -> Bool {
        var call = self
        call.limit = withAnyLimit || limit == nil || other.limit == nil ? other.limit : limit
        call.pages = other.pages
        return call == other
    }

    /// Reads the member `call` of an entry.
    init(_ json: JSONValue, at place: String) throws(InvalidJSON) {
        guard let operation = ProviderOperation(rawValue: json["operation"]?.textValue ?? ""), operation != .session
        else {
            let known = ProviderOperation.allCases.filter { $0 != .session }.map(\.rawValue).joined(separator: ", ")
            throw InvalidJSON(
                description: "\(place).operation: expected one of \(known), found \(json["operation"].foundText)")
        }
        self.init(operation)
        if let query = json["query"] { try read(query, at: "\(place).query") }
        item = try Self.text(json["item"], at: "\(place).item")
        pages = try Self.number(json["pages"], from: 1, "a number of pages", at: "\(place).pages")
        let needsItem = [.collection, .details, .download].contains(operation)
        guard needsItem == (item != nil) else {
            throw InvalidJSON(
                description: "\(place).item: expected \(needsItem ? "the id of an item" : "none"), found "
                    + json["item"].foundText)
        }
        media = json["media"]?.integerValue ?? (operation == .download ? 0 : nil)
    }

    private mutating func read(_ query: JSONValue, at place: String) throws(InvalidJSON) {
        text = try Self.text(query["text"], at: "\(place).text") ?? ""
        limit = try Self.number(query["limit"], from: 1, "a number of items", at: "\(place).limit")
        page = try Self.number(query["page"], from: 1, "the number of a page", at: "\(place).page")
        offset = try Self.number(query["offset"], from: 0, "a number of items", at: "\(place).offset")
        if let value = query["near"] {
            let degrees = (value.elements ?? []).compactMap { Double($0.compact) }
            near = degrees.count == 2 ? ProviderQuery.Point(latitude: degrees[0], longitude: degrees[1]) : nil
            guard near != nil else {
                throw InvalidJSON(
                    description: "\(place).near: expected degrees north and east, found \(value.compact)")
            }
        }
        if let address = try Self.text(query["image"], at: "\(place).image") {
            do throws(InvalidURL) { image = try WebURL(address) } catch {
                throw InvalidJSON(description: "\(place).image: expected an absolute URL, found \(error)")
            }
        }
        for member in query["params"]?.members ?? [] {
            let text = try Self.text(member.value, at: "\(place).params.\(member.name)") ?? ""
            parameters.append(NamedValue(member.name, text))
        }
    }

    private static func number(
        _ json: JSONValue?, from least: Int, _ what: String, at place: String
    ) throws(InvalidJSON) -> Int? {
        guard let json else { return nil }
        guard let number = json.integerValue, number >= least else {
            throw InvalidJSON(description: "\(place): expected \(what), found \(json.compact)")
        }
        return number
    }

    private static func text(_ json: JSONValue?, at place: String) throws(InvalidJSON) -> String? {
        guard let json else { return nil }
        guard let text = json.textValue else {
            throw InvalidJSON(description: "\(place): expected a text, found \(json.preview)")
        }
        return text
    }

    /// `search "coffee"`, `details 99100000`.
    package var description: String {
        [operation.rawValue, text.isEmpty ? nil : text.quoted, item].compactMap(\.self).joined(separator: " ")
    }

    /// The call for a hint on recording it; a page size is named where it is not the usual one.
    package func toRecord(pageSize usual: Int? = nil, allPages: Bool = false) -> Hint.CallToRecord {
        var call = Hint.CallToRecord(operation)
        call.text = text
        call.item = item
        call.pageSize = limit == usual ? nil : limit
        call.parameters = parameters
        call.near = near.map { "\($0.latitude.shortest),\($0.longitude.shortest)" }
        call.image = image?.description
        call.takesAllPages = allPages
        return call
    }

    /// The call as a file has it.
    var json: JSONValue {
        var members = [JSONValue.Member("operation", .text(operation.rawValue))]
        if let item { members.append(JSONValue.Member("item", .text(item))) }
        if let media, media > 0 { members.append(JSONValue.Member("media", .number("\(media)"))) }
        var query: [JSONValue.Member] = []
        if !text.isEmpty { query.append(JSONValue.Member("text", .text(text))) }
        if let limit { query.append(JSONValue.Member("limit", .number("\(limit)"))) }
        if let page { query.append(JSONValue.Member("page", .number("\(page)"))) }
        if let offset { query.append(JSONValue.Member("offset", .number("\(offset)"))) }
        if let near {
            let degrees = [near.latitude, near.longitude].map { JSONValue.number($0.shortest) }
            query.append(JSONValue.Member("near", .array(degrees)))
        }
        if let image { query.append(JSONValue.Member("image", .text(image.description))) }
        if !parameters.isEmpty {
            let members = parameters.map { JSONValue.Member($0.name, .text($0.value)) }
            query.append(JSONValue.Member("params", .object(members)))
        }
        if !query.isEmpty { members.append(JSONValue.Member("query", .object(query))) }
        if let pages { members.append(JSONValue.Member("pages", .number("\(pages)"))) }
        return .object(members)
    }
}

extension JSONValue? {
    fileprivate var foundText: String { map(\.preview) ?? "nothing" }
}
