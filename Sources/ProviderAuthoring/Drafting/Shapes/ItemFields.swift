import ProviderModel

/// A field of the items of an answer, with what it held.
struct ItemField: Hashable, Sendable {
    /// The path to it from the item.
    let path: FieldPath
    /// What it held, without nulls, in the order of the items; paths as the URLs that they stand for.
    let values: [JSONValue]
    /// Whether it held paths in place of URLs.
    let isRelative: Bool
    /// How many of the items have it.
    let count: Int
    /// Whether every item has it.
    let isCertain: Bool
    /// Whether it stands in a list that some item has several elements in.
    let isOfMany: Bool
    /// The words of its own name.
    let words: NameWords
    /// The words of all names on the path.
    let allWords: [String]

    /// Containers that say nothing about what is in them.
    static let wrappers: Set<String> = [
        "node", "data", "source", "attributes", "fields", "item", "document", "record", "object", "content", "obj",
        "hit",
    ]

    /// How deep it lies, wrappers not counted.
    var depth: Int {
        path.parent.steps.reduce(0) { depth, step in
            if case .name(let name) = step, Self.wrappers.contains(NameWords(name).joined) { return depth }
            return depth + 1
        }
    }

    /// The texts it held.
    var texts: [String] { values.compactMap(\.textValue) }

    /// Whether every value is a text with something in it.
    var isText: Bool { !values.isEmpty && values.allSatisfy { $0.textValue?.isEmpty == false } }

    /// Whether every value is an absolute URL.
    var isURL: Bool { !values.isEmpty && values.allSatisfy { $0.webURL != nil } }

    /// Whether every value is a number above 0, or a text of digits.
    var isCount: Bool { !values.isEmpty && values.allSatisfy { ($0.positiveNumber ?? 0) > 0 } }

    /// Whether any value is a text, so that a number has to be made of it.
    var holdsText: Bool { values.contains { $0.textValue != nil } }

    /// The elements of the lists it held, also of lists in these.
    var leaves: [JSONValue] { values.flatMap { $0.elements ?? [] }.flatMap { $0.elements ?? [$0] } }

    /// Whether it held lists of lists.
    var holdsLists: Bool { values.contains { $0.elements?.contains { $0.elements != nil } ?? false } }

    /// The name without letters' case and signs.
    var key: String { words.joined }
}

// MARK: - All fields

/// Every field of the items of an answer.
struct ItemFields: Sendable {
    /// In the order they first appear.
    let all: [ItemField]
    /// How many items there are.
    let itemCount: Int
    private let certain: Set<FieldPath>

    /// Deeper fields belong to something else than the item.
    private static let deepest = 7
    private static let most = 400

    /// The fields of items that came from a place, which paths among them lead from; items that are no objects are one field
    /// with this name.
    init(of items: [JSONValue], named name: String = "", at base: WebURL) {
        var paths: [FieldPath] = []
        var seen: Set<FieldPath> = []
        let kinds = ListKinds(of: items)
        if items.contains(where: { $0.members == nil }) { paths.append(FieldPath()) }
        for item in items { Self.collect(item, FieldPath(), kinds, &paths, &seen) }
        var certain: Set<FieldPath> = []
        var fields: [ItemField] = []
        for path in paths {
            let values = items.compactMap { path.value(in: $0) }
            guard let first = values.first else { continue }
            let isCertain = values.count == items.count
            if isCertain { certain.insert(path) }
            if case .object = first { continue }
            let words = NameWords(path.steps.isEmpty ? name : path.name)
            let resolved = RelativePaths(values, named: words)?.urls(at: base)
            fields.append(
                ItemField(
                    path: path, values: resolved ?? values, isRelative: resolved != nil, count: values.count,
                    isCertain: isCertain, isOfMany: Self.isOfMany(path, items), words: words,
                    allWords: path.names.flatMap { NameWords($0).words }))
        }
        all = fields
        itemCount = items.count
        self.certain = certain
    }

    /// The path to a field from an item called `root`.
    func expression(_ path: FieldPath, from root: String) -> String {
        path.expression(from: root) { certain.contains($0) }
    }

    /// Whether every item has a field.
    func isCertain(_ path: FieldPath) -> Bool { certain.contains(path) }

    /// What the script calls the server that paths lead from.
    static let site = "site"

    /// The expression of a URL's field, which makes a whole one of a path and of one without a scheme.
    func url(_ field: ItemField, from root: String) -> String {
        let place = expression(field.path, from: root)
        if field.isRelative { return "\(place) && new URL(\(place), \(Self.site)).href" }
        guard field.texts.contains(where: { $0.hasPrefix("//") }) else { return place }
        return (field.isCertain ? "" : "\(place) && ") + "`https:${\(place)}`"
    }

    /// The field at a path.
    subscript(path: FieldPath) -> ItemField? { all.first { $0.path == path } }

    private static func isOfMany(_ path: FieldPath, _ items: [JSONValue]) -> Bool {
        path.steps.indices.contains { index in
            guard path.steps[index].isIntoList else { return false }
            let list = FieldPath(Array(path.steps[..<index]))
            return items.contains { (list.value(in: $0)?.elements?.count ?? 0) > 1 }
        }
    }

    private static func collect(
        _ value: JSONValue, _ path: FieldPath, _ kinds: ListKinds, _ paths: inout [FieldPath],
        _ seen: inout Set<FieldPath>
    ) {
        guard path.steps.count <= deepest, paths.count < most else { return }
        if !path.steps.isEmpty, value != .null, seen.insert(path).inserted { paths.append(path) }
        switch value {
        case .object(let members):
            for member in members { collect(member.value, path.appending(.name(member.name)), kinds, &paths, &seen) }
        case .array(let elements):
            let step = kinds.step(into: path)
            if let element = FieldPath([step]).value(in: value), elements.first?.elements == nil {
                collect(element, path.appending(step), kinds, &paths, &seen)
            }
        default: break
        }
    }
}

/// Lists in items whose elements are of several kinds, images among them: those say it in a member such as `type`.
struct ListKinds: Sendable {
    private var images: [FieldPath: FieldPath.Step] = [:]
    private var mixed: Set<FieldPath> = []

    private static let names = ["type", "mediaType", "media_type", "mediatype", "kind"]

    init(of items: [JSONValue]) {
        for item in items { read(item, FieldPath()) }
    }

    /// The step into the element of a list that is an image, or else into the first.
    func step(into list: FieldPath) -> FieldPath.Step { mixed.contains(list) ? images[list] ?? .first : .first }

    private mutating func read(_ value: JSONValue, _ path: FieldPath) {
        guard path.steps.count < 5 else { return }
        if let members = value.members {
            for member in members { read(member.value, path.appending(.name(member.name))) }
        }
        for element in value.elements ?? [] {
            guard let (name, kind) = Self.kind(of: element) else { continue }
            if kind.lowercased() == "image" || kind.lowercased() == "photo" {
                images[path] = .matching(name, kind)
            } else {
                mixed.insert(path)
            }
        }
    }

    private static func kind(of element: JSONValue) -> (name: String, kind: String)? {
        names.lazy.compactMap { name in element[name]?.textValue.map { (name, $0) } }.first
    }
}

extension JSONValue {
    /// The number that this is, or that its text is; nil for anything else and for what is below 0.
    var positiveNumber: Double? {
        let literal: String
        switch self {
        case .number(let text): literal = text
        case .text(let text) where !text.isEmpty && text.allSatisfy { $0.isASCII && $0.isNumber }: literal = text
        default: return nil
        }
        guard let value = Double(literal), value >= 0 else { return nil }
        return value
    }

    /// The absolute URL that this is; what begins with two slashes is one of https.
    var webURL: WebURL? {
        guard let text = textValue, text.hasPrefix("http://") || text.hasPrefix("https://") || text.hasPrefix("//")
        else { return nil }
        // What does not parse is no URL.
        return try? WebURL(text.hasPrefix("//") ? "https:\(text)" : text)
    }
}

// MARK: - Relative paths

/// The values of a field that are paths where URLs are wanted: `/img/fox.jpg`, `photos/fox.jpg`.
struct RelativePaths {
    private let texts: [String]

    private static let names: Set<String> = LinkKind.images.union([
        "url", "uri", "href", "link", "links", "page", "permalink",
    ])

    /// Checks values and their field's name; nil where they are not paths, or may be something else.
    init?(_ values: [JSONValue], named words: NameWords) {
        let texts = values.compactMap(\.textValue)
        let paths = texts.filter { !$0.isEmpty && JSONValue.text($0).webURL == nil }
        guard texts.count == values.count, !paths.isEmpty, paths.allSatisfy(Self.isPath) else { return nil }
        let areFiles = paths.allSatisfy { LinkKind.isImageFile($0) }
        let areNamed = !Set(words.words).isDisjoint(with: Self.names) && paths.allSatisfy { $0.hasPrefix("/") }
        guard areFiles || areNamed else { return nil }
        self.texts = texts
    }

    /// The URLs that they stand for on a server; what is empty stays so.
    func urls(at base: WebURL) -> [JSONValue]? {
        var urls: [JSONValue] = []
        for text in texts {
            guard !text.isEmpty, JSONValue.text(text).webURL == nil else {
                urls.append(.text(text))
                continue
            }
            // What does not resolve is no path.
            guard let site = try? WebURL(base.origin), let url = try? site.resolving(text) else { return nil }
            urls.append(.text(url.description))
        }
        return urls
    }

    private static func isPath(_ text: String) -> Bool {
        // A colon before the first slash ends a scheme.
        !text.hasPrefix("//") && text.contains("/") && !text.prefix { $0 != "/" }.contains(":")
            && !text.contains { $0.isWhitespace || $0 == "<" }
    }
}

// MARK: - Names

/// The words that a field's name is made of: `webformatURL` is webformat, url; `url_l` is url, l.
struct NameWords: Hashable, Sendable {
    /// In lower case, in order.
    let words: [String]

    init(_ name: String) {
        var words: [String] = []
        var word = ""
        let characters = Array(name)
        for (index, character) in characters.enumerated() {
            guard character.isLetter || character.isNumber else {
                if !word.isEmpty { words.append(word.lowercased()) }
                word = ""
                continue
            }
            if let last = word.last,
                Self.isBoundary(last, character, next: index + 1 < characters.count ? characters[index + 1] : nil)
            {
                words.append(word.lowercased())
                word = ""
            }
            word.append(character)
        }
        if !word.isEmpty { words.append(word.lowercased()) }
        self.words = words
    }

    /// The words in one, for comparison with a name in any style.
    var joined: String { words.joined() }

    /// Whether any of the words is among these.
    func contains(anyOf others: Set<String>) -> Bool { words.contains { others.contains($0) } }

    private static func isBoundary(_ last: Character, _ character: Character, next: Character?) -> Bool {
        if last.isNumber != character.isNumber { return true }
        if last.isLowercase && character.isUppercase { return true }
        // The last capital of a run begins the next word: `URLSmall`.
        return last.isUppercase && character.isUppercase && next?.isLowercase == true
    }
}
