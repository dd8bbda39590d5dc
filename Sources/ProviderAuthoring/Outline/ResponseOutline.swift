import ProviderModel

/// The content of a response as the author of a script reads it.
///
/// JSON is its values by their paths, a page or a feed its elements by their selectors; what repeats stands once, with its number.
package struct ResponseOutline: Hashable, Sendable {
    /// One place in the response.
    package struct Line: Hashable, Sendable {
        /// The path, such as `items[].title`, or the selector, such as `a.card > img`.
        package let place: String
        /// The depth in the tree, from 0.
        package let depth: Int
        /// How many such places there are.
        package internal(set) var count: Int
        /// The value at the first of them.
        package let value: String
    }

    /// The places in the order in which they first occur.
    package private(set) var lines: [Line] = []
    /// More places than anybody reads are not kept.
    private static let limit = 500
    private var indexes: [String: Int] = [:]

    /// Creates the outline of a response's body.
    package init(of body: [UInt8]) {
        if let json = JSONValue.found(in: body) {
            add(json, at: "", depth: 0)
        } else {
            let text = String(decoding: body, as: UTF8.self)
            var elements = MarkupElements(text)
            while let element = elements.next() { add(element) }
        }
    }

    /// Every member of objects; lists as one element that stands for all.
    private mutating func add(_ value: JSONValue, at path: String, depth: Int) {
        switch value {
        case .object(let members) where !members.isEmpty:
            for member in members {
                add(member.value, at: path.isEmpty ? member.name : path + member.name.asPathStep, depth: depth)
            }
        case .array(let values) where !values.isEmpty:
            for value in values { add(value, at: "\(path)[]", depth: depth + 1) }
        default: count(path.isEmpty ? "$" : path, as: path, depth: depth, value: value.compact)
        }
    }

    private mutating func add(_ element: MarkupElements.Element) {
        let place = element.steps.suffix(2).joined(separator: " > ")
        let attributes = element.attributes.filter { !["class", "id", "style"].contains($0.name) }
            .map { "\($0.name)=\($0.value.quoted)" }
        let text = element.text.isEmpty ? [] : [element.text]
        // Elements that only hold others say nothing, unless one can ask for them.
        guard !attributes.isEmpty || !text.isEmpty || element.steps.last?.contains(where: { ".#".contains($0) }) == true
        else { return }
        count(
            place, as: element.steps.joined(separator: " > "), depth: element.steps.count - 1,
            value: (attributes + text).joined(separator: "  "))
    }

    private mutating func count(_ place: String, as key: String, depth: Int, value: String) {
        if let index = indexes[key] { return lines[index].count += 1 }
        guard lines.count < Self.limit else { return }
        indexes[key] = lines.count
        lines.append(Line(place: place, depth: depth, count: 1, value: value))
    }
}

/// The elements of HTML or XML in their order, for a look at a document that need not be well formed.
struct MarkupElements {
    /// An element with its place.
    struct Element {
        /// The selectors of the elements around it and its own: `div.grid`, `a.card`.
        var steps: [String]
        var attributes: [(name: String, value: String)] = []
        /// The text directly in it, up to its first child.
        var text = ""
    }

    private static let void: Set<String> = [
        "area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "track", "wbr",
    ]
    private static let data = "<![CDATA["
    private static let raw: Set<String> = ["script", "style", "textarea", "title"]

    private var rest: Substring
    private var open: [(name: String, step: String)] = []

    init(_ text: String) { rest = text[...] }

    /// The next element; nil at the end.
    mutating func next() -> Element? {
        while let start = rest.firstIndex(of: "<") {
            rest = rest[start...].dropFirst()
            if rest.hasPrefix("!--") {
                skip(past: "-->")
            } else if rest.hasPrefix("![CDATA[") {
                skip(past: "]]>")
            } else if rest.hasPrefix("/") {
                let name = rest.dropFirst().prefix { !$0.isWhitespace && $0 != ">" }.lowercased()
                if let index = open.lastIndex(where: { $0.name == name }) { open.removeSubrange(index...) }
                skip(past: ">")
            } else if rest.first?.isLetter == true {
                return element()
            }
        }
        return nil
    }

    private mutating func skip(past end: String) {
        rest = rest.firstRange(of: end).map { rest[$0.upperBound...] } ?? ""
    }

    /// The element whose name comes next.
    private mutating func element() -> Element {
        let name = rest.prefix { !$0.isWhitespace && $0 != ">" && $0 != "/" }.lowercased()
        rest = rest.dropFirst(name.count)
        var element = Element(steps: [])
        var isClosed = false
        while let character = rest.first, character != ">" {
            if character.isWhitespace || character == "/" {
                isClosed = character == "/"
                rest = rest.dropFirst()
            } else {
                isClosed = false
                element.attributes.append(attribute())
            }
        }
        rest = rest.dropFirst()
        let step = Self.step(name, element.attributes)
        element.steps = open.map(\.step) + [step]
        if Self.raw.contains(name), !isClosed {
            let end = rest.firstRange(ofTag: "</\(name)") ?? rest.endIndex..<rest.endIndex
            element.text = Self.visible(rest[..<end.lowerBound])
            rest = rest[end.lowerBound...]
            skip(past: ">")
        } else if !isClosed, !Self.void.contains(name) {
            open.append((name, step))
            element.text = Self.visible(content)
        }
        return element
    }

    /// The text up to the next tag, CDATA included.
    private var content: Substring {
        let text = rest.drop { $0.isWhitespace }
        guard text.hasPrefix(Self.data), let end = text.firstRange(of: "]]>") else { return rest.prefix { $0 != "<" } }
        return text[..<end.upperBound]
    }

    private mutating func attribute() -> (name: String, value: String) {
        let name = rest.prefix { !$0.isWhitespace && !"=>/".contains($0) }
        rest = rest.dropFirst(max(1, name.count)).drop { $0.isWhitespace }
        guard rest.first == "=" else { return (name.lowercased(), "") }
        rest = rest.dropFirst().drop { $0.isWhitespace }
        let value: Substring
        if let quote = rest.first, quote == "\"" || quote == "'" {
            value = rest.dropFirst().prefix { $0 != quote }
            rest = rest[value.endIndex...].dropFirst()
        } else {
            value = rest.prefix { !$0.isWhitespace && $0 != ">" }
            rest = rest[value.endIndex...]
        }
        return (name.lowercased(), Self.visible(value))
    }

    /// The selector of one element: its name with its id, else its first two classes.
    private static func step(_ name: String, _ attributes: [(name: String, value: String)]) -> String {
        func words(of attribute: String) -> [Substring] {
            attributes.first { $0.name == attribute }?.value.split { $0.isWhitespace } ?? []
        }
        let tag = name.replacing(":", with: "\\:")
        if let id = words(of: "id").first { return "\(tag)#\(id)" }
        return tag + words(of: "class").prefix(2).map { ".\($0)" }.joined()
    }

    private static func visible(_ text: Substring) -> String {
        let start = text.drop { $0.isWhitespace }
        if start.hasPrefix(data), let end = start.firstRange(of: "]]>") {
            return String(start[..<end.lowerBound].dropFirst(data.count))
        }
        return text.split { $0.isWhitespace }.joined(separator: " ").replacing("&quot;", with: "\"").replacing(
            "&lt;", with: "<"
        )
        .replacing("&gt;", with: ">").replacing("&#39;", with: "'").replacing("&amp;", with: "&")
    }
}

extension Substring {
    /// The first place of an ASCII text, in any case.
    fileprivate func firstRange(ofTag text: String) -> Range<Index>? {
        let wanted = Array(text.lowercased().utf8)
        var place = utf8.startIndex
        while place < utf8.endIndex {
            var (end, count) = (place, 0)
            while count < wanted.count, end < utf8.endIndex, utf8[end] | 0x20 == wanted[count] | 0x20 {
                (end, count) = (utf8.index(after: end), count + 1)
            }
            if count == wanted.count { return place..<end }
            place = utf8.index(after: place)
        }
        return nil
    }
}
