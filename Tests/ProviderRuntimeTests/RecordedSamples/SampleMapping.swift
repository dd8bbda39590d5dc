import Foundation
import Testing

/// Where a field of an item stands in the recorded answer it was read from, so that the answer itself stays outside
/// the repository.
///
/// Written as a text: a path as a whole (`@.user.name`), a text with paths in braces
/// (`https://pictures.example/{@.id}`), or, without any, a value of the provider's own making (`cc0-1.0`).
///
/// Paths into JSON begin with `$`, the answer, or `@`, the entry the item was read from: `$.hits[0].tags`,
/// `@.sizes[-1].url`, `@.tags[*].title`, `@['a.b']`. Into XML they are XPath, `//photos/@total`, from the entry
/// without slashes in front: `@id`, `./title`. Into other text they are `.capture` patterns.
struct SampleMapping: Sendable {
    /// One text, or a list of them.
    enum Value: Equatable {
        case one(String)
        case list([String])
    }

    /// What the answer says; nil where it says nothing.
    let value: @Sendable (SampleReading) throws -> Value?

    /// A text as in a literal.
    init(_ text: String) {
        if text.starts(with: /[$@\/]|\.\//) {
            value = { try $0.value(at: text) }
        } else {
            value = { try Self.filled(text, from: $0).map(Value.one) }
        }
    }

    private init(value: @escaping @Sendable (SampleReading) throws -> Value?) { self.value = value }

    /// The text, each path in it replaced; nil where one leads nowhere.
    private static func filled(_ template: String, from reading: SampleReading) throws -> String? {
        var text = ""
        var rest = template[...]
        while let match = rest.firstMatch(of: /\{([$@.\/][^{}]*)\}/) {
            guard case .one(let part) = try reading.value(at: String(match.1)) else { return nil }
            text += rest[..<match.range.lowerBound] + part
            rest = rest[match.range.upperBound...]
        }
        return text + rest
    }
}

extension SampleMapping: ExpressibleByStringLiteral {
    init(stringLiteral text: String) { self.init(text) }
}

extension SampleMapping {
    /// What the first group of a regular expression finds in the whole answer.
    static func capture(_ pattern: String) -> Self {
        Self { reading in try reading.text.firstCapture(of: pattern).map(Value.one) }
    }

    /// A field of the answer's head, by its name in lower case.
    static func header(_ name: String) -> Self {
        Self { reading in reading.headers[name].map(Value.one) }
    }

    /// The whole answer.
    static var text: Self {
        Self { reading in .one(reading.text.trimmingCharacters(in: .whitespacesAndNewlines)) }
    }

    /// A number reckoned from the numbers at paths.
    static func computed(_ paths: String..., by reckon: @escaping @Sendable ([Double]) -> Double) -> Self {
        Self { reading in
            let numbers = try paths.map { path -> Double in
                guard case .one(let text) = try reading.value(at: path) else {
                    throw SampleError("there is no single value at \(path)")
                }
                return try #require(Double(text), "a number at \(path)")
            }
            return .one(SampleJSON.number(reckon(numbers)).text ?? "")
        }
    }

    /// Read from another of several answers, by the part of the URL it belongs to.
    func `in`(_ part: String) -> Self {
        Self { reading in try value(try reading.answer(to: part)) }
    }

    /// Each text changed; those that become nil are left out.
    func map(_ change: @escaping @Sendable (String) throws -> String?) -> Self {
        Self { reading in
            switch try value(reading) {
            case .one(let text): try change(text).map(Value.one)
            case .list(let texts): .list(try texts.compactMap(change))
            case nil: nil
            }
        }
    }

    /// The pieces of one text.
    func split(by separator: String) -> Self {
        Self { reading in
            guard case .one(let text) = try value(reading) else { return nil }
            return .list(text.split(separator: separator).map(String.init))
        }
    }

    /// Each text with something in it replaced.
    func replacing(_ part: String, with other: String) -> Self { map { $0.replacing(part, with: other) } }

    /// A number as the contract has it: without needless zeros.
    var number: Self { map { text in Double(text).flatMap { SampleJSON.number($0).text } } }

    /// Each text cut to what the first group of a regular expression finds.
    func matching(_ pattern: String) -> Self { map { try $0.firstCapture(of: pattern) } }

    /// The text with another behind it.
    func followed(by other: Self) -> Self {
        Self { reading in
            guard case .one(let text) = try value(reading), case .one(let end) = try other.value(reading) else {
                return nil
            }
            return .one(text + end)
        }
    }

    /// The text as a list of one.
    var listed: Self {
        Self { reading in
            guard case .one(let text) = try value(reading) else { return nil }
            return .list([text])
        }
    }
}

extension String {
    /// What the first group of a regular expression finds.
    fileprivate func firstCapture(of pattern: String) throws -> String? {
        try firstMatch(of: Regex(pattern))?.output[1].substring.map(String.init)
    }
}
