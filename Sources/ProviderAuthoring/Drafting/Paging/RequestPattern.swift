import ProviderModel

/// A recorded request as one of many: which of its parts hold the text, the page and the page's size.
struct RequestPattern: Sendable {
    /// What a part of a request stands for.
    enum Role: Hashable, Sendable {
        case text
        case page
        case page0
        case offset
        /// The index of the first item, from 1.
        case offset1
        case limit
        case cursor
        case constant
    }

    /// A part of a request that has a value.
    struct Part: Sendable {
        /// Where it stands.
        enum Place: Hashable, Sendable {
            case query
            case form
            case json(FieldPath)
            case path(Int)
        }

        let place: Place
        let name: String
        let value: String
        var role = Role.constant
        /// Whether the recorded request did without it.
        var isAdded = false
    }

    /// The name of a part that is an object of pairs.
    static let spread = "..."

    let command: CurlCommand
    var parts: [Part]
    /// The body, where it is JSON.
    let json: JSONValue?

    private static let texts = [
        "q", "query", "search", "text", "term", "searchterm", "keyword", "keywords", "searchquery", "tags", "tag", "s",
        "phrase", "word", "words", "what", "lookfor", "keys", "title", "name",
    ]
    static let pages: Set<String> = [
        "page", "p", "pageno", "pagenumber", "pg", "currentpage", "pagenum", "paged", "pid", "pageindex", "ijn",
    ]
    static let offsets: Set<String> = ["offset", "start", "from", "skip", "startindex", "startat", "startrow", "ofs"]
    static let limits: Set<String> = [
        "perpage", "limit", "size", "rows", "count", "pagesize", "num", "n", "hitsperpage", "itemsperpage",
        "maxresults", "results", "take", "top", "length", "pp", "ps", "resultsperpage", "first",
    ]
    static let cursors: Set<String> = [
        "cursor", "after", "pos", "pagetoken", "nexttoken", "continue", "continuation", "scrollid", "marker", "maxid",
        "nextcursor", "searchafter", "bookmark", "before",
    ]

    /// Reads a request without keys; `searched` is the text it was made with, where that is known.
    init(_ command: CurlCommand, searched: String?) {
        self.command = command
        parts = command.url.queryItems.map { Part(place: .query, name: $0.name, value: $0.value) }
        let isForm =
            command.headers.first { $0.name.lowercased() == "content-type" }.map {
                $0.value.contains("form-urlencoded")
            } ?? true
        json = command.body.isEmpty ? nil : JSONValue.found(in: command.body)?.withDeclaredCursor
        if let json {
            parts += Self.leaves(of: json, FieldPath())
        } else if !command.body.isEmpty, isForm,
            let url = try? WebURL("https://form.invalid/?" + String(decoding: command.body, as: UTF8.self))
        {
            // What does not read as a form is sent as it is.
            parts += url.queryItems.map { Part(place: .form, name: $0.name, value: $0.value) }
        }
        let segments = command.url.path.split(separator: "/", omittingEmptySubsequences: false)
        for (index, segment) in segments.enumerated() where index > 0 && !segment.isEmpty {
            let name = index > 1 ? String(segments[index - 1]) : ""
            parts.append(
                Part(
                    place: .path(index), name: name, value: PercentEncoding.decode(segment.replacing("+", with: "%2B")))
            )
        }
        let sent = command.body.isEmpty ? nil : JSONValue.found(in: command.body)
        for index in parts.indices {
            parts[index].role = Self.role(of: parts[index])
            guard case .json(let path) = parts[index].place, let sent else { continue }
            parts[index].isAdded = path.parent.value(in: sent)?[path.name] == nil
        }
        findText(searched)
        keepFirst(of: [.page, .page0])
        keepFirst(of: [.offset, .offset1])
        keepFirst(of: [.limit])
        keepFirst(of: [.cursor])
        // Of two ways to count the page number is the plainer.
        if part(.page) ?? part(.page0) != nil { release([.offset, .offset1]) }
    }

    /// What may be the text of a search, where no name says so: words under names that stand for nothing else.
    var possibleTexts: [Part] {
        guard part(.text) == nil else { return [] }
        return parts.filter { part in
            guard part.role == .constant, !part.isAdded, !part.value.isEmpty else { return false }
            if case .path = part.place { return false }
            return part.value.allSatisfy { $0.isLetter || $0.isWhitespace || "-'".contains($0) }
                && !NameWords(part.name).contains(anyOf: Self.settings)
        }
    }

    /// What parameters are about besides texts.
    private static let settings: Set<String> = [
        "format", "encoding", "lang", "language", "lng", "locale", "sort", "order", "orderby", "by", "dir", "direction",
        "filter", "filters", "type", "types", "kind", "category", "fields", "field", "fl", "include", "includes",
        "expand", "embed", "action", "method", "output", "version", "media", "image", "images", "has", "is", "with",
        "only", "safe", "safesearch", "rating", "orientation", "color", "colour", "size", "license", "licence",
        "status", "source", "country", "region", "market", "extras", "facet", "facets", "view", "mode", "user",
        "generator",
        "prop", "list", "callback", "period", "time", "range", "client", "app", "hasimages", "key",
    ]

    /// The part with a role.
    func part(_ role: Role) -> Part? { parts.first { $0.role == role } }

    private static func leaves(of json: JSONValue, _ path: FieldPath) -> [Part] {
        switch json {
        case .object(let members): members.flatMap { leaves(of: $0.value, path.appending(.name($0.name))) }
        case .text(let text): [Part(place: .json(path), name: path.name, value: text)]
        case .number(let literal): [Part(place: .json(path), name: path.name, value: literal)]
        // The first page of a GraphQL connection is the one without a cursor.
        case .null where cursors.contains(NameWords(path.name).joined):
            [Part(place: .json(path), name: path.name, value: "")]
        default: []
        }
    }

    private static func role(of part: Part) -> Role {
        let key = NameWords(part.name).joined
        let number = Int(part.value)
        if case .path = part.place { return number != nil && pages.contains(key) && key != "p" ? .page : .constant }
        if let number {
            if pages.contains(key) { return number == 0 ? .page0 : .page }
            if offsets.contains(key) { return number == 1 ? .offset1 : .offset }
            if limits.contains(key), number > 0 { return .limit }
        }
        return cursors.contains(key) ? .cursor : .constant
    }

    private mutating func findText(_ searched: String?) {
        let candidates = parts.indices.filter { index in
            let part = parts[index]
            guard part.role == .constant, !part.value.isEmpty else { return false }
            return searched != nil || Int(part.value) == nil && !part.value.contains("{") && !part.value.contains("://")
        }
        if let searched {
            let meant = candidates.filter { parts[$0].value.lowercased() == searched.lowercased() }
            let inQuery = meant.first { if case .path = parts[$0].place { false } else { true } }
            if let index = inQuery ?? meant.first {
                parts[index].role = .text
                return
            }
            if searched.isEmpty { return }
        }
        let ranked = candidates.compactMap { index -> (index: Int, rank: Int)? in
            let part = parts[index]
            let key = NameWords(part.name).joined
            guard let rank = Self.texts.firstIndex(of: key) else { return nil }
            if case .path = part.place {
                // A word after `search` or `tag`, not the name of a method.
                return ["search", "tag", "tags", "query", "keyword"].contains(key) && !part.value.contains(".")
                    && !Self.methods.contains(part.value.lowercased()) ? (index, rank + 100) : nil
            }
            // `$publicdomain` and the like name a part of the source.
            let isWord = part.value.first.map { $0.isLetter || $0.isNumber || "\"'".contains($0) } ?? false
            return (index, isWord ? rank : rank + 50)
        }
        if let best = ranked.min(by: { $0.rank < $1.rank }) { parts[best.index].role = .text }
    }

    private static let methods: Set<String> = [
        "photos", "images", "image", "json", "search", "posts", "items", "results", "objects", "index", "popular",
        "recent",
        "time", "top", "hot", "all", "newest", "videos", "collections", "users",
    ]

    private mutating func keepFirst(of roles: [Role]) {
        let found = parts.indices.filter { roles.contains(parts[$0].role) }
        for index in found.dropFirst() { parts[index].role = .constant }
    }

    private mutating func release(_ roles: [Role]) {
        for index in parts.indices where roles.contains(parts[index].role) { parts[index].role = .constant }
    }
}

extension JSONValue {
    /// A GraphQL request whose query declares a cursor among its variables, with that variable: null where it is not given.
    fileprivate var withDeclaredCursor: JSONValue {
        guard let query = self["query"]?.textValue, var members else { return self }
        let declared = query.matches(of: /\$([A-Za-z_]\w*)\s*:/).map { String($0.1) }
        guard let name = declared.first(where: { RequestPattern.cursors.contains(NameWords($0).joined) }),
            self["variables"]?[name] == nil
        else { return self }
        let variables = JSONValue.object((self["variables"]?.members ?? []) + [Member(name, .null)])
        members.removeAll { $0.name == "variables" }
        return .object(members + [Member("variables", variables)])
    }
}
