import HTTPTransport
import ProviderModel

/// What tells a request from a recorded one.
package struct RequestDifference: Hashable, Sendable {
    /// One line for each thing that differs, such as “`page` is 2, asked for 3”; empty for the same request.
    package private(set) var lines: [String] = []
    /// How far apart they are; 0 for the same request.
    package private(set) var distance = 0

    /// Compares a request with a recorded one; a masked value stands for any.
    package init(of request: TransportRequest, from entry: Cassette.Entry) {
        if request.method.rawValue != entry.method {
            note(40, "the method is \(entry.method), asked for \(request.method.rawValue)")
        }
        if request.url.origin != entry.url.origin {
            note(200, "the server is \(entry.url.origin), asked for \(request.url.origin)")
        }
        comparePaths(request.url.path, entry.url.path)
        comparePairs(of: request.url, entry.url)
        compareBodies(request.body, entry.body)
    }

    /// Whether it is the same request.
    package var isNone: Bool { lines.isEmpty }

    private mutating func note(_ weight: Int, _ line: String) {
        distance += weight
        lines.append(line)
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
        note(60 - min(40, 10 * shared), "the path is \(recorded), asked for \(asked)")
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
                note(2, "`\(pair.name)` is \(left[index].value.quoted), asked for \(pair.value.quoted)")
                left.remove(at: index)
            } else {
                note(3, "`\(pair.name)` is not there, asked for \(pair.value.quoted)")
            }
        }
        for pair in left { note(3, "`\(pair.name)` is \(pair.value.quoted), not asked for") }
    }

    private static func agrees(_ recorded: String, _ asked: String) -> Bool {
        recorded == asked || recorded == SecretPatterns.mask
    }

    private mutating func compareBodies(_ asked: [UInt8], _ recorded: [UInt8]) {
        guard asked != recorded else { return }
        for line in RequestBody(recorded).differences(to: RequestBody(asked)) { note(2, line) }
    }
}
