import HTTPTransport
import ProviderModel

/// The cassettes of one provider: which calls are recorded, and which entry answers a request.
///
/// Requests are looked up by what they ask for, not compared with every entry. A request that was recorded well and
/// badly gets the good answer: the cassette `errors` comes last.
package struct CassetteLibrary: Sendable {
    /// A call, and where its first answer stands.
    package struct Recording: Sendable {
        package let call: RecordedCall
        package let cassette: String
        package let status: Int
    }

    /// In the order in which they answer.
    package let cassettes: [Cassette]
    private let entries: [(place: Cassette.Place, entry: Cassette.Entry)]
    /// The entries by the key of what they were asked with, for each set of parts in which values are masked.
    private let indices: [MaskedParts: [String: [Int]]]

    /// Creates a library; the cassette `errors` answers last.
    package init(_ cassettes: [Cassette]) {
        self.cassettes = cassettes.filter { $0.name != "errors" } + cassettes.filter { $0.name == "errors" }
        entries = self.cassettes.flatMap { zip($0.places, $0.entries).map { ($0, $1) } }
        var indices: [MaskedParts: [String: [Int]]] = [:]
        for (index, element) in entries.enumerated() {
            let entry = element.entry
            let masked = MaskedParts(of: entry.url)
            indices[masked, default: [:]][masked.key(of: entry.method, entry.url), default: []].append(index)
        }
        self.indices = indices
    }

    /// Reads every cassette of a folder; none where there is no such folder.
    package init(folder: String) throws(ProviderError) { self.init(try Cassette.all(in: folder)) }

    /// The calls that the cassettes answer.
    package var recordings: [Recording] {
        entries.flatMap { place, entry in
            entry.calls.map { Recording(call: $0, cassette: place.cassette, status: entry.status) }
        }
    }

    /// The server of the first answer; nil where there is none.
    package var origin: WebURL? {
        entries.first.flatMap { try? WebURL($0.entry.url.origin) }  // an origin is a URL
    }

    /// The entry with this index over all cassettes, and its position.
    package subscript(index: Int) -> (place: Cassette.Place, entry: Cassette.Entry) { entries[index] }

    // MARK: Matching

    /// The entries that were recorded for this very request, of the cassettes with these names in their order, or of
    /// all where none is named.
    func matches(for request: TransportRequest, in names: [String] = []) -> [Int] {
        let found = indices.flatMap { masked, groups in
            groups[masked.key(of: request.method.rawValue, request.url)] ?? []
        }
        let same = found.filter { RequestDifference(of: request, from: entries[$0].entry).isNone }.sorted()
        guard !names.isEmpty else { return same }
        return names.flatMap { name in same.filter { entries[$0].place.cassette == name } }
    }

    /// The most similar entries to a request without a response.
    package func candidates(for request: TransportRequest) -> [UnmatchedRequest.Candidate] {
        nearest(to: request).prefix(3).map { place, _, difference in
            UnmatchedRequest.Candidate(
                place: place.description, differences: difference.lines, changes: difference.changes)
        }
    }

    /// The entries by how far they are from a request, the nearest first.
    package func nearest(
        to request: TransportRequest
    ) -> [(place: Cassette.Place, entry: Cassette.Entry, difference: RequestDifference)] {
        let compared = entries.map { (place: $0, entry: $1, difference: RequestDifference(of: request, from: $1)) }
        let order = compared.indices.sorted {
            (compared[$0].difference.distance, $0) < (compared[$1].difference.distance, $1)
        }
        return order.map { compared[$0] }
    }

    /// The entry of the same request, else the good response of the most similar one on the same path.
    package func sample(for request: TransportRequest) -> Cassette.Entry? {
        if let index = matches(for: request).first { return entries[index].entry }
        var best: (score: Int, entry: Cassette.Entry)?
        for entry in goodEntries
        where entry.method == request.method.rawValue && entry.url.origin == request.url.origin
            && entry.url.path == request.url.path
        {
            let score = Self.likeness(of: entry, to: request)
            if score > best?.score ?? -1 { best = (score, entry) }
        }
        return best?.entry
    }

    /// Answers that are neither errors nor empty: only the request that they were recorded for gets one of those.
    package var goodEntries: [Cassette.Entry] {
        entries.filter { !["empty", "errors"].contains($0.place.cassette) && (200..<300).contains($0.entry.status) }
            .map(\.entry)
    }

    /// How many query pairs agree, less the names that only one side has, and less what differs in the body.
    ///
    /// Another word is searched for with the same names: a list that is asked for without a word is further away.
    private static func likeness(of entry: Cassette.Entry, to request: TransportRequest) -> Int {
        let recorded = Set(entry.url.queryItems.map { NamedValue($0.name, $0.value) })
        let asked = Set(request.url.queryItems.map { NamedValue($0.name, $0.value) })
        let names = Set(asked.map(\.name)).symmetricDifference(recorded.map(\.name))
        let bodies =
            request.body == entry.body
            ? [] : RequestBody(entry.body).differences(to: RequestBody(request.body))
        return 100 + 2 * asked.intersection(recorded).count - names.count - min(50, bodies.count)
    }

    /// Recorded paths on the same host, for an error message.
    func paths(like request: TransportRequest) -> [String] {
        var paths: [String] = []
        for (_, entry) in entries
        where entry.url.host == request.url.host && entry.status == 200 && !paths.contains(entry.url.path) {
            paths.append(entry.url.path)
        }
        return paths
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

    /// The same for all requests that are distinguished by masked parts and bodies alone.
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

/// A request that no cassette has an answer to, with the recorded ones that come nearest.
package struct UnmatchedRequest: Error, CustomStringConvertible {
    /// A recorded request and what differs.
    package struct Candidate: Hashable, Sendable {
        /// `search.json entries[1]`.
        package var place: String
        /// What differs, line by line; empty for the same request in a cassette that was not to be used.
        package var differences: [String]
        /// The same, part by part.
        package var changes: [RequestDifference.Change] = []
    }

    /// `GET https://…`, secrets masked.
    package let request: String
    /// The nearest entries, the nearest first.
    package var candidates: [Candidate] { findCandidates() }

    private let findCandidates: @Sendable () -> [Candidate]

    /// The candidates are looked for when they are read: most requests without an answer end a listing.
    package init(
        _ request: TransportRequest, candidates: @autoclosure @escaping @Sendable () -> [Candidate]
    ) {
        self.request = request.description
        findCandidates = candidates
    }

    package var description: String {
        var lines = ["no recorded response to \(request)"]
        let candidates = candidates
        if candidates.isEmpty { lines.append("  the cassette has no entries") }
        for candidate in candidates {
            guard !candidate.differences.isEmpty else {
                lines.append("  \(candidate.place) has this request, but its cassette is not used here")
                continue
            }
            lines.append("  \(candidate.place) differs:")
            let shown = candidate.differences.prefix(6).map { "    \($0)" }
            lines += shown
            if candidate.differences.count > shown.count {
                lines.append("    and \(candidate.differences.count - shown.count) more")
            }
        }
        return lines.joined(separator: "\n")
    }
}
