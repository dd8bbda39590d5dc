import Foundation
import FoundationXML

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
