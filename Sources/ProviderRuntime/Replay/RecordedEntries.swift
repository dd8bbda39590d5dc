import HTTPTransport
import ProviderModel

/// The entries of cassettes, in order, in which a request's answers are found without comparing it with every one.
package struct RecordedEntries: Sendable {
    /// An entry, and where it stands.
    package typealias Element = (place: Cassette.Place, entry: Cassette.Entry)

    private let elements: [Element]
    /// The entries by the key of what they were asked with, for each way in which values are masked.
    private let indices: [MaskedParts: [String: [Int]]]

    /// The entries of these cassettes.
    package init(_ cassettes: [Cassette]) {
        elements = cassettes.flatMap { zip($0.places, $0.entries).map { ($0, $1) } }
        var indices: [MaskedParts: [String: [Int]]] = [:]
        for (index, element) in elements.enumerated() {
            let entry = element.entry
            let masked = MaskedParts(of: entry.url)
            indices[masked, default: [:]][masked.key(of: entry.method, entry.url), default: []].append(index)
        }
        self.indices = indices
    }

    package subscript(index: Int) -> Element { elements[index] }

    /// The places of all entries that were recorded for this very request, in order.
    package func same(as request: TransportRequest) -> [Int] {
        indices.flatMap { masked, groups in groups[masked.key(of: request.method.rawValue, request.url)] ?? [] }
            .filter { RequestDifference(of: request, from: elements[$0].entry).isNone }
            .sorted()
    }

    /// The entries that come nearest to a request, the nearest first.
    private func nearest(to request: TransportRequest, count: Int) -> [(index: Int, difference: RequestDifference)] {
        let compared = elements.indices.map {
            (index: $0, difference: RequestDifference(of: request, from: elements[$0].entry))
        }
        let sorted = compared.sorted { ($0.difference.distance, $0.index) < ($1.difference.distance, $1.index) }
        return Array(sorted.prefix(count))
    }
}

extension RecordedEntries {
    /// The recorded requests that come nearest to one without an answer; `used` counts how often entries have answered.
    package func candidates(for request: TransportRequest, used: [Int: Int] = [:]) -> [UnmatchedRequest.Candidate] {
        nearest(to: request, count: 3).map { index, difference in
            UnmatchedRequest.Candidate(
                place: self[index].place.description, differences: difference.lines, isUsed: used[index] != nil)
        }
    }
}

/// Where a recorded URL holds masks, which stand for any value: there it cannot be looked up by what is asked.
private struct MaskedParts: Hashable {
    private let segments: [Int]
    private let names: [String]

    init(of url: WebURL) {
        let parts = Self.segments(of: url)
        segments = parts.indices.filter { parts[$0].contains(SecretPatterns.mask) }
        names = Set(url.queryItems.filter { $0.value == SecretPatterns.mask }.map(\.name)).sorted()
    }

    /// The same for all requests that are told apart by masked parts and bodies alone.
    func key(of method: String, _ url: WebURL) -> String {
        var parts = [method, url.origin]
        for (index, segment) in Self.segments(of: url).enumerated() {
            // An escaped slash is no slash, and a plus is a plus in a path.
            let isMasked = segments.contains(index)
            parts.append(isMasked ? "" : PercentEncoding.decode(segment.replacing("+", with: "%2B")))
        }
        let pairs = url.queryItems.map { [$0.name, names.contains($0.name) ? "" : $0.value] }
        let sorted = pairs.sorted { $0.lexicographicallyPrecedes($1) }
        return (parts + ["?"] + sorted.joined()).joined(separator: "\0")
    }

    private static func segments(of url: WebURL) -> [Substring] {
        url.path.split(separator: "/", omittingEmptySubsequences: false)
    }
}
