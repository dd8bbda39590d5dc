/// A range of versions as npm writes it: `^1.2`, `>=1 <3 || 5.x`, `1.2 - 1.4`.
package struct VersionRange: Hashable, Sendable, CustomStringConvertible {
    /// The range as it was written.
    package let description: String
    /// Alternatives, each of which is a list of bounds that all hold.
    private let alternatives: [[VersionBound]]

    /// Longer texts are made to be slow.
    private static let longest = 512

    /// Any release.
    package static let any = VersionRange(description: "*", alternatives: [[]])

    /// Parses a range; nil when it is none.
    package init?(_ text: String) {
        guard text.utf8.count <= Self.longest else { return nil }
        var alternatives: [[VersionBound]] = []
        for alternative in Self.alternatives(of: text) {
            guard let bounds = Self.bounds(of: alternative) else { return nil }
            alternatives.append(bounds)
        }
        self.init(description: text, alternatives: alternatives)
    }

    private init(description: String, alternatives: [[VersionBound]]) {
        self.description = description
        self.alternatives = alternatives
    }

    /// Whether a version is within.
    ///
    /// A prerelease is only where a bound names a prerelease of the same three numbers: who wants `^1.2.3-beta.2` takes
    /// `1.2.3-beta.4`, and not `1.3.0-alpha`.
    package func contains(_ version: SemanticVersion) -> Bool {
        alternatives.contains { bounds in
            bounds.allSatisfy { $0.admits(version) }
                && (!version.isPrerelease
                    || bounds.contains { $0.version.isPrerelease && $0.version.isSameRelease(as: version) })
        }
    }

    /// The highest of those that are within; nil when none is.
    package func highest(of versions: some Sequence<SemanticVersion>) -> SemanticVersion? {
        versions.filter { contains($0) }.max()
    }

    /// The texts between the `||`.
    private static func alternatives(of text: String) -> [Substring] {
        var parts: [Substring] = []
        var rest = text[...]
        while let bar = rest.firstRange(of: "||") {
            parts.append(rest[..<bar.lowerBound])
            rest = rest[bar.upperBound...]
        }
        return parts + [rest]
    }

    /// The bounds of one alternative; nil when a word of it is none.
    private static func bounds(of text: Substring) -> [VersionBound]? {
        let words = text.split(whereSeparator: \.isWhitespace).map(String.init)
        if words.count == 3, words[1] == "-" {
            guard let low = PartialVersion(words[0]), let high = PartialVersion(words[2]) else { return nil }
            return low.bounds(for: .atLeast) + high.bounds(for: .atMost)
        }
        var bounds: [VersionBound] = []
        var pending = ""
        for word in words {
            // `>= 1.2` is one comparator in two words.
            let whole = pending + word
            if ComparatorSign.isBare(whole) {
                pending = whole
                continue
            }
            pending = ""
            let (sign, version) = ComparatorSign.split(whole)
            guard let partial = PartialVersion(version) else { return nil }
            bounds += partial.bounds(for: sign)
        }
        return pending.isEmpty ? bounds : nil
    }
}

/// A limit that versions are held to.
struct VersionBound: Hashable, Sendable {
    enum Relation: Hashable, Sendable {
        case below, atMost, equal, atLeast, above
    }

    let relation: Relation
    let version: SemanticVersion

    /// Whether a version keeps to it.
    func admits(_ other: SemanticVersion) -> Bool {
        switch relation {
        case .below: other < version
        case .atMost: other <= version
        case .equal: other == version
        case .atLeast: other >= version
        case .above: other > version
        }
    }
}
