import HTTPTransport
import ProviderModel

/// How a request differs from a recorded one.
package struct RequestDifference: Hashable, Sendable {
    /// One line for each thing that differs, such as "`page` is 2, asked for 3"; empty for the same request.
    package var lines: [String] { changes.map(\.line) }
    /// The things that differ; empty for the same request.
    package private(set) var changes: [Change] = []
    /// How far apart they are; 0 for the same request.
    package private(set) var distance = 0

    /// One thing that differs.
    package struct Change: Hashable, Sendable {
        /// A part of a request.
        package enum Part: Hashable, Sendable {
            /// The method, the server or the path.
            case address
            /// A pair of the query, by its name.
            case pair(String)
            /// A member of a JSON body, by its path, or a field of a form, by its name.
            case member(String)
            /// A body that is neither.
            case body
        }

        /// What differs.
        package let part: Part
        /// The recorded value; nil where there is none.
        package let recorded: String?
        /// The requested value; nil where there is none.
        package let requested: String?
        /// One line about it.
        package let line: String
    }

    /// Compares a request with a recorded one; a masked value stands for any.
    package init(of request: TransportRequest, from entry: Cassette.Entry) {
        if request.method.rawValue != entry.method {
            note(40, .address, "method: recorded \(entry.method), requested \(request.method.rawValue)")
        }
        if request.url.origin != entry.url.origin {
            note(200, .address, "server: recorded \(entry.url.origin), requested \(request.url.origin)")
        }
        comparePaths(request.url.path, entry.url.path)
        comparePairs(of: request.url, entry.url)
        compareBodies(request.body, entry.body)
    }

    /// Whether it is the same request.
    package var isNone: Bool { changes.isEmpty }

    private mutating func note(
        _ weight: Int, _ part: Change.Part, recorded: String? = nil, requested: String? = nil, _ line: String
    ) {
        distance += weight
        changes.append(Change(part: part, recorded: recorded, requested: requested, line: line))
    }

    private mutating func comparePaths(_ asked: String, _ recorded: String) {
        let asks = asked.split(separator: "/", omittingEmptySubsequences: false)
        let records = recorded.split(separator: "/", omittingEmptySubsequences: false)
        let isSame =
            asks.count == records.count
            && zip(asks, records).allSatisfy {
                $0 == $1 || $1.contains(SecretPatterns.mask) || Self.decode($0) == Self.decode($1)
            }
        guard !isSame else { return }
        let shared = zip(asks, records).prefix { $0 == $1 }.count
        note(60 - min(40, 10 * shared), .address, "path: recorded \(recorded), requested \(asked)")
    }

    /// An escaped slash is no slash, and a plus is a plus in a path.
    private static func decode(_ segment: Substring) -> String {
        PercentEncoding.decode(segment.replacing("+", with: "%2B"))
    }

    private mutating func comparePairs(of asked: WebURL, _ recorded: WebURL) {
        var left = recorded.queryItems.map { NamedValue($0.name, $0.value) }
        var unmatched: [NamedValue] = []
        for pair in asked.queryItems.map({ NamedValue($0.name, $0.value) }) {
            if let index = left.firstIndex(where: { $0.name == pair.name && Self.agrees($0.value, pair.value) }) {
                left.remove(at: index)
            } else {
                unmatched.append(pair)
            }
        }
        for pair in unmatched {
            if let index = left.firstIndex(where: { $0.name == pair.name }) {
                let recorded = left.remove(at: index).value
                note(
                    2, .pair(pair.name), recorded: recorded, requested: pair.value,
                    "`\(pair.name)`: recorded \(recorded.quoted), requested \(pair.value.quoted)")
            } else {
                note(
                    3, .pair(pair.name), requested: pair.value,
                    "`\(pair.name)`: not recorded, requested \(pair.value.quoted)")
            }
        }
        for pair in left {
            note(
                3, .pair(pair.name), recorded: pair.value,
                "`\(pair.name)`: recorded \(pair.value.quoted), not requested")
        }
    }

    private static func agrees(_ recorded: String, _ asked: String) -> Bool {
        recorded == asked || recorded == SecretPatterns.mask
    }

    private mutating func compareBodies(_ asked: [UInt8], _ recorded: [UInt8]) {
        guard asked != recorded else { return }
        for change in RequestBody(recorded).differences(to: RequestBody(asked)) {
            distance += 2
            changes.append(change)
        }
    }
}

/// What a request sends, read as what it is, so that two that say the same are the same however they are written.
package enum RequestBody: Hashable {
    case none
    /// JSON, whatever the order of its members.
    case json(JSONValue)
    /// The fields of a form, sorted.
    case form([NamedValue])
    case other([UInt8])

    /// Reads the bytes of a body.
    package init(_ bytes: [UInt8]) {
        if bytes.isEmpty {
            self = .none
        } else if let json = JSONValue.found(in: bytes), json.members != nil || json.elements != nil {
            self = .json(json)
        } else if let fields = Self.fields(of: bytes) {
            self = .form(fields)
        } else {
            self = .other(bytes)
        }
    }

    /// Each thing that is another in the body that is asked with; a masked value stands for any.
    package func differences(to asked: RequestBody) -> [RequestDifference.Change] {
        switch (self, asked) {
        case (.json(let recorded), .json(let asks)):
            return JSONDifference(from: recorded, to: asks).changes.filter { !$0.isOfMask }.map { change in
                RequestDifference.Change(
                    part: .member(change.path), recorded: change.before, requested: change.after,
                    line: "body \(change.path): recorded \(change.before ?? "nothing"), "
                        + "requested \(change.after ?? "nothing")")
            }
        case (.form(let recorded), .form(let asks)): return Self.differences(recorded, asks)
        default:
            guard self != asked else { return [] }
            let line = "body: recorded \(preview), requested \(asked.preview)"
            return [RequestDifference.Change(part: .body, recorded: nil, requested: nil, line: line)]
        }
    }

    private static func differences(
        _ recorded: [NamedValue], _ asked: [NamedValue]
    ) -> [RequestDifference.Change] {
        var left = recorded
        var changes: [RequestDifference.Change] = []
        func note(_ name: String, _ recorded: String?, _ requested: String?) {
            let before = recorded.map { "recorded \($0.quoted)" } ?? "not recorded"
            let after = requested.map { "requested \($0.quoted)" } ?? "not requested"
            changes.append(
                RequestDifference.Change(
                    part: .member(name), recorded: recorded, requested: requested,
                    line: "form field `\(name)`: \(before), \(after)"))
        }
        for field in asked {
            if let index = left.firstIndex(where: { $0.name == field.name && Self.agrees($0.value, field.value) }) {
                left.remove(at: index)
            } else if let index = left.firstIndex(where: { $0.name == field.name }) {
                note(field.name, left.remove(at: index).value, field.value)
            } else {
                note(field.name, nil, field.value)
            }
        }
        for field in left { note(field.name, field.value, nil) }
        return changes
    }

    private static func agrees(_ recorded: String, _ asked: String) -> Bool {
        recorded == asked || recorded == SecretPatterns.mask
    }

    private var preview: String {
        switch self {
        case .none: "empty"
        case .json(let json): json.compact.quoted
        case .form(let fields): fields.map { "\($0.name)=\($0.value)" }.joined(separator: "&").quoted
        case .other(let bytes): String(decoding: bytes, as: UTF8.self).quoted
        }
    }

    /// The fields of a form (https://url.spec.whatwg.org/#urlencoded-parsing); nil for what is none: it has a space, a
    /// control or a bracket, or a part without a name.
    private static func fields(of bytes: [UInt8]) -> [NamedValue]? {
        guard bytes.contains(UInt8(ascii: "=")),
            !bytes.contains(where: { $0 <= 0x20 || $0 > 0x7e || "<>{}\"".utf8.contains($0) })
        else { return nil }
        var fields: [NamedValue] = []
        for pair in String(decoding: bytes, as: UTF8.self).split(separator: "&") {
            let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard !parts[0].isEmpty else { return nil }
            fields.append(
                NamedValue(
                    PercentEncoding.decode(parts[0]), parts.count > 1 ? PercentEncoding.decode(parts[1]) : ""))
        }
        return fields.sorted { ($0.name, $0.value) < ($1.name, $1.value) }
    }
}

extension JSONDifference.Change {
    /// Whether what was there had been masked.
    fileprivate var isOfMask: Bool { before == SecretPatterns.mask.quoted && after != nil }
}
