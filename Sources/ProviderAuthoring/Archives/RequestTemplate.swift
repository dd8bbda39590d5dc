import HTTPTransport
import ProviderModel
import ProviderRuntime

/// A request made with a mark in place of a text: shows which text a recorded request was made with.
struct RequestTemplate {
    private let request: TransportRequest
    private let mark: String

    init(_ request: TransportRequest, mark: String) {
        self.request = request
        self.mark = mark
    }

    /// The text that stands in a recorded request where the mark stands here; nil when they differ elsewhere.
    func text(in entry: Cassette.Entry) -> String? {
        guard entry.method == request.method.rawValue, entry.url.origin == request.url.origin else { return nil }
        var found: Set<String> = []
        guard unify(path: entry.url.path, &found), unify(pairs: entry.url, &found), unify(body: entry.body, &found)
        else {
            return nil
        }
        return found.count == 1 ? found.first : nil
    }

    private func unify(path: String, _ found: inout Set<String>) -> Bool {
        let own = request.url.path.split(separator: "/", omittingEmptySubsequences: false).map(Self.decode)
        let other = path.split(separator: "/", omittingEmptySubsequences: false).map(Self.decode)
        guard own.count <= other.count else { return false }
        if own.count == other.count { return zip(own, other).allSatisfy { unify($0, $1, &found) } }
        // An id may have slashes of its own: the one segment with the mark stands for several.
        let extra = other.count - own.count
        guard let index = own.firstIndex(where: { $0.contains(mark) }) else { return false }
        let joined = other[index...(index + extra)].joined(separator: "/")
        let folded = other[..<index] + [joined] + other[(index + extra + 1)...]
        return zip(own, folded).allSatisfy { unify($0, $1, &found) }
    }

    private func unify(pairs url: WebURL, _ found: inout Set<String>) -> Bool {
        let own = request.url.queryItems.sorted { $0.name < $1.name }
        let other = url.queryItems.sorted { $0.name < $1.name }
        guard own.map(\.name) == other.map(\.name) else { return false }
        return zip(own, other).allSatisfy { $1.value == SecretPatterns.mask || unify($0.value, $1.value, &found) }
    }

    private func unify(body: [UInt8], _ found: inout Set<String>) -> Bool {
        guard request.body != body else { return true }
        if let own = JSONValue.found(in: request.body), let other = JSONValue.found(in: body) {
            return unify(own, other, &found)
        }
        return unify(String(decoding: request.body, as: UTF8.self), String(decoding: body, as: UTF8.self), &found)
    }

    private func unify(_ own: JSONValue, _ other: JSONValue, _ found: inout Set<String>) -> Bool {
        switch (own, other) {
        case (.text(let own), .text(let other)): unify(own, other, &found)
        case (.array(let own), .array(let other)):
            own.count == other.count && zip(own, other).allSatisfy { unify($0, $1, &found) }
        case (.object(let own), .object):
            own.count == other.members?.count
                && own.allSatisfy { member in other[member.name].map { unify(member.value, $0, &found) } ?? false }
        default: own == other
        }
    }

    /// Whether the texts are the same but for the mark, whose place in the other is noted.
    private func unify(_ own: String, _ other: String, _ found: inout Set<String>) -> Bool {
        guard let range = own.firstRange(of: mark) else { return own == other }
        let (before, after) = (own[..<range.lowerBound], own[range.upperBound...])
        guard other.count >= before.count + after.count, other.hasPrefix(before), other.hasSuffix(after) else {
            return false
        }
        found.insert(String(other.dropFirst(before.count).dropLast(after.count)))
        return true
    }

    private static func decode(_ segment: Substring) -> String {
        PercentEncoding.decode(segment.replacing("+", with: "%2B"))
    }
}
