import HTTPTransport
import ProviderModel

/// A request that no cassette has an answer to, with the recorded ones that come nearest.
package struct UnmatchedRequest: Error, CustomStringConvertible {
    /// A recorded request and what differs.
    package struct Candidate: Hashable, Sendable {
        /// `search.json entries[1]`.
        package var place: String
        /// What differs, line by line; empty when the entry has been used already.
        package var differences: [String]
        /// Whether the entry answered an earlier request.
        package var isUsed: Bool
    }

    /// `GET https://…`, secrets masked.
    package let request: String
    /// The nearest entries, the nearest first.
    package var candidates: [Candidate] { findCandidates() }

    private let findCandidates: @Sendable () -> [Candidate]

    /// The candidates are looked for when somebody reads of them: most requests without an answer end a listing.
    package init(_ request: TransportRequest, candidates: @autoclosure @escaping @Sendable () -> [Candidate]) {
        self.request = request.description
        findCandidates = candidates
    }

    package var description: String {
        var lines = ["no recorded answer to \(request)"]
        let candidates = candidates
        if candidates.isEmpty { lines.append("  the cassette has no entries; record one with imgscript test --record") }
        for candidate in candidates {
            guard !candidate.differences.isEmpty else {
                lines.append("  \(candidate.place) is the same request, and has been answered already")
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
