import HTTPTypes
import ProviderModel
import ProviderRuntime

/// How the pages of a recorded listing follow one another, as far as request and answer show.
struct PagingMapping: Sendable {
    /// What the manifest says.
    private(set) var paging = Paging.none
    /// How many there are in all; nil where the answer does not say.
    private(set) var total: AnswerTotal?
    /// The expression of `next` over `res`; nil where the host counts.
    private(set) var next: String?
    /// Where the answer says how it goes on.
    private(set) var nextPath: FieldPath?
    /// The request, with the roles that the answer has shown.
    private(set) var request: RequestPattern
    /// What a reader should look at again.
    private(set) var notes: [String] = []

    private static let nexts = [
        "next", "nextpage", "nextpageurl", "nexturl", "nexthref", "nextlink", "nextcursor", "nextpagetoken",
        "nexttoken", "nextoffset", "cursor", "endcursor", "after", "continuation", "pagetoken", "scrollid", "continue",
        "pos", "nextpos", "bookmark",
    ]

    /// Reads a JSON answer, or one with a link to the next page.
    init(
        _ request: RequestPattern, answer: JSONValue? = nil, list: AnswerList? = nil, headers: HTTPFields,
        link found: (url: WebURL, expression: String)? = nil
    ) {
        self.request = request
        if let answer, let list { total = AnswerTotal(in: answer, around: list) }
        if total == nil, let list { total = AnswerTotal(in: headers, of: list) }
        if request.part(.page) != nil { paging = .page }
        if request.part(.page0) != nil { paging = .page0 }
        if request.part(.offset) ?? request.part(.offset1) != nil { paging = .offset }
        let link = headers[values: .link].lazy.compactMap { Self.next(inLink: $0) }.first
        if paging == .none, let answer, let list { findNext(in: answer, list) }
        // As many as there are on a page that another follows is the number on the page.
        if next != nil, total?.count == list?.items.count { total = nil }
        if paging == .none, let found { follow(link: found.url, expression: found.expression) }
        if paging == .none, let link { follow(link: link, expression: "res.links.next") }
        if paging == .none, total != nil || list?.items.count ?? 0 > 9 {
            notes.append("no parameter or field for the next page found: paging is 'none'")
        }
    }

    /// Notes something that a reader should look at again.
    mutating func note(_ text: String) { notes.append(text) }

    /// Drops the notes of what was only supposed.
    mutating func forgetGuesses() {
        notes.removeAll { $0.hasSuffix("is a guess") || $0.hasPrefix("no parameter or field for the next page") }
    }

    /// Drops the parts that were supposed to lead to the next page.
    mutating func release() {
        request.parts.removeAll { $0.isAdded && $0.place == .query }
        for index in request.parts.indices where PageDifference.roles.contains(request.parts[index].role) {
            request.parts[index].role = .constant
        }
    }

    /// Gives the part by which pages differ its role.
    mutating func set(_ difference: PageDifference, to role: RequestPattern.Role) {
        let part = difference.part
        if let index = request.parts.firstIndex(where: { $0.place == part.place && $0.name == part.name }) {
            request.parts[index].role = role
        } else {
            request.parts.append(
                RequestPattern.Part(place: part.place, name: part.name, value: "", role: role, isAdded: true))
        }
    }

    /// Takes another way from page to page; `next` stays where the way is the same.
    mutating func take(_ way: Paging, next expression: String? = nil) {
        guard way != paging || expression != nil else { return }
        (paging, next, nextPath) = (way, expression, nil)
    }

    // MARK: The next page

    private mutating func findNext(in answer: JSONValue, _ list: AnswerList) {
        if let members = answer["continue"]?.members, !members.isEmpty {
            // MediaWiki: what stands there is sent as it is.
            (paging, next, nextPath) = (.cursor, "res.json.continue ?? null", FieldPath([.name("continue")]))
            request.parts.append(
                RequestPattern.Part(place: .query, name: RequestPattern.spread, value: "", role: .cursor, isAdded: true)
            )
            return
        }
        if let path = Self.relatedLinks(in: answer, FieldPath()), let links = path.value(in: answer)?.elements,
            let url = links.first(where: { $0["rel"] == .text("next") })?["href"]?.webURL
        {
            let place = path.expression(from: "res.json") + ".find((link) => link.rel === 'next')?.href"
            follow(link: url, expression: place)
            if paging != .none {
                nextPath = path
                return
            }
        }
        for field in fieldsNamedNext(in: answer, list) {
            if let url = Self.url(field.value, on: request.command.url) {
                let place = field.path.expression(from: "res.json", isCertain: { _ in false })
                    .replacing("res.json?.", with: "res.json.")
                follow(link: url, expression: place, isRelative: field.value.webURL == nil)
            } else {
                follow(token: field.value, at: field.path, count: list.items.count)
                stopWhereNoPageFollows(field.path, in: answer)
            }
            if paging != .none {
                nextPath = field.path
                return
            }
        }
    }

    /// Fields outside the list that are called like the way to the next page, the likeliest first.
    private func fieldsNamedNext(in answer: JSONValue, _ list: AnswerList) -> [(path: FieldPath, value: JSONValue)] {
        let ranked = list.fieldsAround(in: answer).compactMap {
            path, value -> (path: FieldPath, value: JSONValue, rank: Int)? in
            let words = NameWords(path.name)
            let parent = NameWords(path.parent.name).joined
            let key =
                ["href", "url", "cursor", "token", "startindex"].contains(words.joined) && parent.hasPrefix("next")
                ? "next" : words.joined
            guard let rank = Self.nexts.firstIndex(of: key) else { return nil }
            return (path, value, rank + path.steps.count)
        }
        return ranked.sorted { $0.rank < $1.rank }.map { ($0.path, $0.value) }
    }

    /// A list of links that say how they are related, one of them to the next page.
    private static func relatedLinks(in value: JSONValue, _ path: FieldPath) -> FieldPath? {
        guard path.steps.count < 4 else { return nil }
        if let elements = value.elements { return elements.contains { $0["rel"] == .text("next") } ? path : nil }
        return value.members?.lazy.compactMap { relatedLinks(in: $0.value, path.appending(.name($0.name))) }.first
    }

    private static func url(_ value: JSONValue, on base: WebURL) -> WebURL? {
        if let url = value.webURL { return url }
        guard let text = value.textValue, text.hasPrefix("/") || text.hasPrefix("?") else { return nil }
        return try? base.resolving(text)  // no URL, then
    }

    /// Compares the next page's URL with this one's: what changed is how pages are distinguished.
    private mutating func follow(link: WebURL, expression: String, isRelative: Bool = false) {
        let own = Dictionary(
            request.command.url.queryItems.map { ($0.name, $0.value) }, uniquingKeysWith: { first, _ in first })
        let changed = link.queryItems.filter {
            own[$0.name] != $0.value && !RequestPattern.limits.contains(NameWords($0.name).joined)
                && !SecretPatterns.isSecretName($0.name) && $0.name != "api_key" && $0.name != "key"
        }
        // Where this request is not known, every pair has changed; what counts is named so.
        let named = changed.filter { pair in
            let part = RequestPattern.Part(place: .query, name: pair.name, value: pair.value)
            return Self.countsPages(part.name, part.value)
        }
        let cursors = changed.filter { !Self.countsPages($0.name, $0.value) }
        if let pair = named.first, let number = Int(pair.value) {
            let key = NameWords(pair.name).joined
            let isOffset = RequestPattern.offsets.contains(key)
            let role: RequestPattern.Role = isOffset ? .offset : number == 1 && own[pair.name] == nil ? .page0 : .page
            paging = isOffset ? .offset : role == .page0 ? .page0 : .page
            add(pair.name, role)
        } else if let pair = cursors.first(where: { NameWords($0.name).contains(anyOf: Self.cursorWords) })
            ?? (own.isEmpty ? nil : cursors.first)
        {
            paging = .cursor
            let base = isRelative ? ", res.url" : ""
            next = "\(expression) ? new URL(\(expression)\(base)).searchParams.get(\(pair.name.asJavaScript)) : null"
            add(pair.name, .cursor)
        }
    }

    private static let cursorWords: Set<String> = [
        "cursor", "after", "token", "max", "min", "since", "next", "continue", "continuation", "pos", "scroll",
        "marker", "before", "start", "key", "page",
    ]

    private static func countsPages(_ name: String, _ value: String) -> Bool {
        guard let number = Int(value), number < 1_000_000 else { return false }
        let key = NameWords(name).joined
        return RequestPattern.pages.contains(key) || RequestPattern.offsets.contains(key)
    }

    /// GraphQL's connections name a cursor on the last page, too, and say beside it that there is no more.
    private mutating func stopWhereNoPageFollows(_ path: FieldPath, in answer: JSONValue) {
        guard let cursor = next, path.parent.value(in: answer)?["hasNextPage"] != nil else { return }
        let flag = path.parent.appending(.name("hasNextPage")).expression(
            from: "res.json", isCertain: { $0.steps.count <= 1 })
        next = "\(flag) ? \(cursor.replacing(" ?? null", with: "").replacing(" || null", with: "")) : null"
    }

    /// A value that is sent back: a token, an offset, a page's number.
    private mutating func follow(token: JSONValue, at path: FieldPath, count: Int) {
        let words = NameWords(path.name).words
        let place = path.expression(from: "res.json", isCertain: { $0.steps.count <= 1 })
        // Where a token is a text, an empty one is the end as often as none.
        let end = token.textValue == nil ? "?? null" : "|| null"
        if request.part(.cursor) != nil {
            paging = .cursor
            next = "\(place) \(end)"
            return
        }
        if let number = token.integerValue {
            let previous = request.parts.indices.last { index in
                guard case .path = request.parts[index].place else { return false }
                return Int(request.parts[index].value) == number - 1
            }
            if words.contains("page"), let previous {
                // The number stands in the path, such as `/date/desc/1`.
                request.parts[previous].role = .page
                paging = .page
                next = "\(place) ? undefined : null"
            } else if words.contains("offset") || number > 1 && number == count {
                paging = .offset
                add("offset", .offset)
                notes.append(
                    "the response has \(path), but the request no offset: the parameter name offset is a guess")
            } else if words.contains("page") {
                paging = .page
                add("page", .page)
                notes.append("the response has \(path), but the request no page: the parameter name page is a guess")
            }
            return
        }
        guard let text = token.textValue, !text.isEmpty else { return }
        let name = Self.parameter(for: path)
        paging = .cursor
        next = "\(place) \(end)"
        add(name, .cursor)
        notes.append("the response has \(path), but the request no cursor: the parameter name \(name) is a guess")
    }

    /// The pair that hands a token back is most often called like the token without "next".
    private static func parameter(for path: FieldPath) -> String {
        let name = path.name
        for prefix in ["next_", "next"] where name.lowercased().hasPrefix(prefix) && name.count > prefix.count {
            let rest = name.dropFirst(prefix.count)
            return prefix == "next" ? rest.prefix(1).lowercased() + rest.dropFirst() : String(rest)
        }
        return ["after", "continuation", "scroll_id", "bookmark"].contains(name) ? name : "cursor"
    }

    private mutating func add(_ name: String, _ role: RequestPattern.Role) {
        if let index = request.parts.firstIndex(where: { $0.name == name && $0.place == .query }) {
            request.parts[index].role = role
        } else {
            request.parts.append(RequestPattern.Part(place: .query, name: name, value: "", role: role, isAdded: true))
        }
    }

    /// The URL of `rel="next"` in a `Link` header (RFC 8288).
    private static func next(inLink value: String) -> WebURL? {
        for link in value.split(separator: ",") where link.contains("rel=\"next\"") || link.contains("rel=next") {
            guard let start = link.firstIndex(of: "<"), let end = link.firstIndex(of: ">"), start < end else {
                continue
            }
            return try? WebURL(String(link[link.index(after: start)..<end]))  // a broken one leads nowhere
        }
        return nil
    }
}

extension HTTPField.Name {
    fileprivate static var link: Self {
        guard let name = Self("Link") else { preconditionFailure("a header's name") }
        return name
    }
}

/// How many images there are in all, as an answer says beside its list.
struct AnswerTotal: Sendable {
    /// Its expression over `res`.
    let expression: String
    /// Where it stands.
    let path: FieldPath
    /// How many that is; nil for more than can be counted.
    let count: Int?

    private static let names = [
        "totalhits", "totalresults", "totalcount", "totalitems", "total", "count", "numfound", "nbhits", "hitcount",
        "found", "recordcount", "hits", "totalrecords", "numberofresults", "numresults", "estimatedtotal",
        "resultcount", "rowcount",
    ]

    /// The likeliest number around a list; nil where none is called so.
    init?(in answer: JSONValue, around list: AnswerList) {
        let fields = list.fieldsAround(in: answer).filter { field in
            Set(field.path.names.flatMap { NameWords($0).words }).isDisjoint(with: [
                "pages", "facets", "facet", "aggregations", "time", "took", "ratelimit",
            ])
        }
        let candidates = fields.compactMap { field -> (path: FieldPath, value: JSONValue, rank: Int)? in
            let own = NameWords(field.path.name).joined
            let key = own == "value" || own == "relation" ? NameWords(field.path.parent.name).joined : own
            guard let rank = Self.names.firstIndex(of: key), let number = field.value.positiveNumber,
                number >= Double(list.items.count)
            else { return nil }
            // `count` is as often the number of items on the page.
            if key == "count" || key == "hits" || key == "resultcount", number == Double(list.items.count) {
                return nil
            }
            return (field.path, field.value, rank + field.path.steps.count * 4)
        }
        guard let best = candidates.min(by: { $0.rank < $1.rank }) else { return nil }
        path = best.path
        count = best.value.positiveNumber.flatMap { Int(exactly: $0) }
        let expression = best.path.expression(from: "res.json")
        self.expression = best.value.textValue == nil ? expression : "Number(\(expression))"
    }
}

extension AnswerTotal {
    /// The number that a header has: `X-Total-Count`, `X-WP-Total`.
    init?(in headers: HTTPFields, of list: AnswerList) {
        let found = headers.first { header in
            let words = NameWords(header.name.rawName).words.filter { $0 != "x" }
            return words.contains("total") && !words.contains("pages") && !words.contains("totalpages")
                && (Int(header.value) ?? -1) >= list.items.count
        }
        guard let found else { return nil }
        let name = found.name.canonicalName
        path = FieldPath([.name("headers"), .name(name)])
        expression = "Number(res.headers[\(name.asJavaScript)])"
        count = Int(found.value)
    }
}

extension AnswerList {
    /// Fields outside the list, the nearest to the top first.
    func fieldsAround(in answer: JSONValue) -> [(path: FieldPath, value: JSONValue)] {
        var found: [(path: FieldPath, value: JSONValue)] = []
        func collect(_ value: JSONValue, _ path: FieldPath) {
            guard path != self.path, path.steps.count < 5 else { return }
            if let members = value.members {
                for member in members { collect(member.value, path.appending(.name(member.name))) }
            } else if let first = value.elements?.first, first.members != nil {
                collect(first, path.appending(.first))
            } else if value.elements == nil, value != .null {
                found.append((path, value))
            }
        }
        if form != .single { collect(answer, FieldPath()) }
        return found.sorted { $0.path.steps.count < $1.path.steps.count }
    }
}
