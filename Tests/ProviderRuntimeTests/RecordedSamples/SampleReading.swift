import Foundation
import FoundationXML
import ProviderModel

/// Recorded answers, and the entry in one of them that an item was read from.
struct SampleReading {
    private enum Content {
        case json(SampleJSON)
        case xml(XMLNode)
        case text
    }

    /// The answer as it came.
    let text: String
    /// The head's fields, by their names in lower case.
    let headers: [String: String]
    private var root: Content
    private var entry: Content
    private var others: [String: String]

    /// Reads the answer to one part of the URL; `bodies` are all there are, by part.
    init(part: String = "", of bodies: [String: String], headers: [String: String] = [:]) throws {
        guard let body = bodies[part] else { throw SampleError("no sample answers “\(part)”") }
        text = body
        self.headers = headers
        root = try Self.content(of: body)
        entry = root
        others = bodies
    }

    /// Another of the answers.
    func answer(to part: String) throws -> Self { try Self(part: part, of: others) }

    /// What stands at a path: a list where it leads to an array, to several nodes, or may do so.
    func value(at path: String) throws -> SampleMapping.Value? {
        switch (root, entry) {
        case (.json(let answer), .json(let entry)):
            let found = try (path.hasPrefix("$") ? answer : entry).value(at: path)
            guard case .array(let elements) = found else { return found?.text.map(SampleMapping.Value.one) }
            return .list(elements.compactMap(\.text))
        case (.xml, .xml(let entry)):
            let texts = try entry.nodes(forXPath: path).map { $0.stringValue ?? "" }
            return texts.count > 1 ? .list(texts) : texts.first.map(SampleMapping.Value.one)
        default: throw SampleError("\(path) in an answer that is neither JSON nor XML")
        }
    }

    /// The answer once for each entry at a path.
    func entries(at path: String) throws -> [Self] {
        let contents: [Content]
        switch root {
        case .json(let answer):
            guard case .array(let elements) = try answer.value(at: path) else {
                throw SampleError("there is no array at \(path)")
            }
            contents = elements.map(Content.json)
        case .xml(let document): contents = try document.nodes(forXPath: path).map(Content.xml)
        case .text: throw SampleError("there are no entries in plain text")
        }
        return contents.map { content in
            var reading = self
            reading.entry = content
            return reading
        }
    }

    private static func content(of body: String) throws -> Content {
        if body.starts(with: /\s*</) {
            // HTML is seldom well-formed: it is read with patterns.
            guard !body.contains(/<html\b/.ignoresCase()) else { return .text }
            return .xml(try XMLDocument(xmlString: body))
        }
        guard let json = body.firstMatch(of: /^\s*(?:\w+\()?([\[{].*[\]}])[\s);]*$/.dotMatchesNewlines()) else {
            return .text
        }
        let repaired = json.1.replacing("\\'", with: "'")  // as Flickr's feed writes it
        return .json(try JSONDecoder().decode(SampleJSON.self, from: Data(repaired.utf8)))
    }
}

/// A path of a table that does not fit its sample.
struct SampleError: Error, CustomStringConvertible {
    var description: String

    init(_ description: String) { self.description = description }
}

/// A JSON value whose parts are found by path.
enum SampleJSON: Decodable {
    case object([String: SampleJSON])
    case array([SampleJSON])
    case text(String)
    case number(Double)
    case flag(Bool)
    case null

    init(from decoder: any Decoder) throws {
        let value = try decoder.singleValueContainer()
        // Each try? asks whether the value is of that kind; the last one gives the reason.
        if value.decodeNil() {
            self = .null
        } else if let flag = try? value.decode(Bool.self) {
            self = .flag(flag)
        } else if let number = try? value.decode(Double.self) {
            self = .number(number)
        } else if let text = try? value.decode(String.self) {
            self = .text(text)
        } else if let array = try? value.decode([SampleJSON].self) {
            self = .array(array)
        } else {
            self = .object(try value.decode([String: SampleJSON].self))
        }
    }

    /// A single value as text, numbers without a needless fraction; nil for null, arrays and objects.
    var text: String? {
        switch self {
        case .text(let text): text
        case .number(let number): Int(exactly: number).map(String.init) ?? number.description
        case .flag(let flag): flag.description
        case .object, .array, .null: nil
        }
    }

    /// What a path leads to: `$.hits[0].user`, `@.sizes[-1]`, `@.tags[*].title`, `@['a.b']`.
    func value(at path: String) throws -> SampleJSON? {
        let step = /\.([^.\[\]]+)|\[(-?\d+|\*)\]|\['([^']*)'\]/
        var rest = path.dropFirst()
        var values = [self]
        var isList = false
        while !rest.isEmpty {
            guard let match = rest.prefixMatch(of: step) else {
                throw SampleError("\(path) is no path at “\(rest)”")
            }
            let name = match.1 ?? match.3
            isList = isList || match.2 == "*"
            values = values.flatMap { name.map($0.members(named:)) ?? $0.elements(at: String(match.2 ?? "")) }
            rest = rest[match.range.upperBound...]
        }
        return isList ? .array(values) : values.first
    }

    private func members(named name: Substring) -> [SampleJSON] {
        guard case .object(let members) = self else { return [] }
        return members[String(name)].map { [$0] } ?? []
    }

    private func elements(at index: String) -> [SampleJSON] {
        guard case .array(let elements) = self else { return [] }
        guard let place = Int(index) else { return elements }
        let position = place < 0 ? elements.count + place : place
        return elements.indices.contains(position) ? [elements[position]] : []
    }
}

extension SampleJSON {
    /// Every single value by its path: `author.name`, `media[0].url`.
    var fields: [String: String] {
        var fields: [String: String] = [:]
        collect(under: "", into: &fields)
        return fields
    }

    private func collect(under path: String, into fields: inout [String: String]) {
        switch self {
        case .object(let members):
            for (name, value) in members {
                value.collect(under: path.isEmpty ? name : "\(path).\(name)", into: &fields)
            }
        case .array(let elements):
            for (index, value) in elements.enumerated() { value.collect(under: "\(path)[\(index)]", into: &fields) }
        case .text, .number, .flag, .null: fields[path] = text
        }
    }
}

extension Item {
    /// Every single value of the contract that the item has, by its path; not its provider, not `extra`.
    var fields: [String: String] {
        get throws {
            var item = self
            item.extra = nil
            var writer = JSONWriter()
            item.write(to: &writer)
            var fields = try JSONDecoder().decode(SampleJSON.self, from: Data(writer.bytes)).fields
            fields["provider"] = nil
            return fields
        }
    }
}
