import Foundation
import ProviderModel

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
        // Each try? asks whether the value is of that kind; the last one tells why it is of none.
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
