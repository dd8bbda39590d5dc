import HTTPTransport
import HTTPTypes
import ProviderModel

/// The header lines of requests that a response depends on (RFC 9111 §4.1, RFC 9110 §12.5.5).
struct Vary: Hashable, Sendable {
    /// The names in lower case, each once; empty when a response depends on none, or on everything.
    let names: [String]
    /// Whether it depends on more than can be known: nothing ever matches.
    let isAny: Bool

    /// Reads all `Vary` lines together; one `*` anywhere is enough.
    init(_ fields: HTTPFields) {
        let members = FieldList.members(of: fields[values: .vary]).map { $0.lowercased() }
        isAny = members.contains("*")
        names = isAny ? [] : Set(members).sorted()
    }

    /// A request's value for a name in one form (RFC 9111 §4.1); nil when the request has no such line.
    static func normalisedValue(of name: String, in fields: HTTPFields) -> String? {
        guard let fieldName = HTTPField.Name(name) else { return nil }
        let lines = fields[values: fieldName]
        guard !lines.isEmpty else { return nil }
        let members = FieldList.members(of: lines)
        guard name == "accept-language" else { return members.joined(separator: ",") }
        // RFC 9110 §12.5.4: case and order say nothing, weights do.
        return LanguageRange.ranges(in: members).map(\.description).sorted().joined(separator: ",")
    }
}

/// What the lines of a request that a response depends on said, as keyed hashes (RFC 9111 §4.1).
///
/// Hashes, because such a line may be `Authorization` or `Cookie`.
struct VarySelection: Hashable, Sendable {
    /// One nominated line.
    struct Line: Hashable, Sendable {
        let name: String
        /// The hash of the normalised value; nil when the request had no such line.
        let hash: [UInt8]?
    }

    let lines: [Line]

    init(lines: [Line] = []) { self.lines = lines }

    /// The selection a response makes for the request that led to it.
    init(_ vary: Vary, request: HTTPFields, hash: KeyedHash) {
        lines = vary.names.map { Line(name: $0, hash: Self.hash(of: $0, in: request, with: hash)) }
    }

    /// Whether a request would be answered by the same response (RFC 9111 §4.1).
    func matches(_ request: HTTPFields, response: HTTPFields, hash: KeyedHash) -> Bool {
        lines.allSatisfy { line in
            if Self.hash(of: line.name, in: request, with: hash) == line.hash { return true }
            return line.name == "accept-language" && LanguageRange.isBest(response, for: request)
        }
    }

    private static func hash(of name: String, in request: HTTPFields, with hash: KeyedHash) -> [UInt8]? {
        Vary.normalisedValue(of: name, in: request).map { hash.hash(Array("\(name):\($0)".utf8)) }
    }
}

/// One member of `Accept-Language`: a language and its weight (RFC 9110 §12.5.4).
struct LanguageRange: Hashable, Sendable, CustomStringConvertible {
    /// The language in lower case.
    let tag: String
    /// The weight in thousandths (RFC 9110 §12.4.2).
    let weight: Int

    var description: String { weight == 1_000 ? tag : "\(tag);q=\(weight)" }

    /// The ranges of a list, as far as they can be read.
    static func ranges(in members: [String]) -> [LanguageRange] {
        members.map { member in
            let parts = member.split(separator: ";").map { String($0).trimmingWhitespace.lowercased() }
            let weight = parts.dropFirst().first { $0.hasPrefix("q=") }.map { thousandths(String($0.dropFirst(2))) }
            return LanguageRange(tag: parts.first ?? "", weight: weight ?? 1_000)
        }
    }

    /// Whether a response in these languages is the best one for a request.
    ///
    /// The response must be in one language, and the request must want that one more than every other: then a server
    /// that has it, and it was the server that sent it, has nothing better.
    static func isBest(_ response: HTTPFields, for request: HTTPFields) -> Bool {
        let languages = FieldList.members(of: response[values: .contentLanguage])
        let ranges = ranges(in: FieldList.members(of: request[values: .acceptLanguage]))
        guard languages.count == 1, let wanted = ranges.max(by: { $0.weight < $1.weight }), wanted.weight > 0 else {
            return false
        }
        return ranges.filter { $0.weight == wanted.weight }.count == 1 && wanted.tag == languages[0].lowercased()
    }

    private static func thousandths(_ text: String) -> Int {
        // "nan" is a number for Swift, and greater than nothing.
        guard let weight = Double(text), weight > 0 else { return 0 }
        return Int(min(weight, 1) * 1_000)
    }
}
