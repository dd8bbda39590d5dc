import HTTPTransport
import HTTPTypes

/// One member of `Accept-Language`: a language and how welcome it is (RFC 9110 §12.5.4).
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
        Double(text).map { Int(min(max($0, 0), 1) * 1_000) } ?? 0
    }
}
