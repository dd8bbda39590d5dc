import ProviderModel

/// A range of versions as npm writes it: `^1.2`, `>=1 <3 || 5.x`, `1.2 - 1.4`.
package struct VersionRange: Hashable, Sendable, CustomStringConvertible {
    /// The range as it was written.
    package let description: String
    /// Alternatives, each of which is a list of bounds that all hold.
    private let alternatives: [[VersionBound]]

    /// The maximum length of a range; longer ones are malicious.
    private static let maximumLength = 512

    /// Any release.
    package static let any = VersionRange(description: "*", alternatives: [[]])

    /// Parses a range; nil when it is none.
    package init?(_ text: String) {
        guard text.utf8.count <= Self.maximumLength else { return nil }
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

    /// Whether a version is within the range.
    ///
    /// A prerelease is within only where a bound is a prerelease of the same three numbers: `^1.2.3-beta.2` contains
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
            if Comparator.isBare(whole) {
                pending = whole
                continue
            }
            pending = ""
            let (comparator, version) = Comparator.split(whole)
            guard let partial = PartialVersion(version) else { return nil }
            bounds += partial.bounds(for: comparator)
        }
        return pending.isEmpty ? bounds : nil
    }
}

// MARK: - Bounds

/// One bound of a range.
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

// MARK: - Parsing

/// The operator before a version in a range.
private enum Comparator: String, CaseIterable {
    // The longer ones first, so that `>=` is not read as `>`.
    case atLeast = ">="
    case atMost = "<="
    case tildeGreater = "~>"
    case above = ">"
    case below = "<"
    case equal = "="
    case caret = "^"
    case tilde = "~"
    case none = ""

    /// Whether a word is an operator that still waits for its version.
    static func isBare(_ word: String) -> Bool { !word.isEmpty && Comparator(rawValue: word) != nil }

    /// The operator and what follows it.
    static func split(_ word: String) -> (Comparator, String) {
        let comparator = allCases.first { word.hasPrefix($0.rawValue) } ?? .none
        return (comparator, String(word.dropFirst(comparator.rawValue.count)))
    }
}

/// A version of which the end may be left open: `1`, `1.2`, `1.x`, `*`.
private struct PartialVersion {
    private let major: UInt64?
    private let minor: UInt64?
    private let patch: UInt64?
    private let prerelease: [SemanticVersion.Identifier]

    init?(_ text: String) {
        var rest = text[...]
        // `v1.2` and `=v1.2` are common in pasted text.
        if rest.first == "=" { rest = rest.dropFirst() }
        if rest.first == "v" { rest = rest.dropFirst() }
        let (versioned, build) = SemanticVersion.split(rest, at: "+")
        let (core, prerelease) = SemanticVersion.split(versioned, at: "-")
        let parts = core.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count <= 3, SemanticVersion.labels(build) != nil,
            let identifiers = SemanticVersion.identifiers(prerelease)
        else { return nil }
        var numbers: [UInt64?] = [nil, nil, nil]
        var isOpen = false
        for (index, part) in parts.enumerated() {
            if part.isEmpty ? parts.count == 1 && text.isEmpty : ["x", "X", "*"].contains(part) {
                isOpen = true
                continue
            }
            guard let number = SemanticVersion.number(part) else { return nil }
            // What follows an open place says nothing: `1.x.3` is `1.x`.
            if !isOpen { numbers[index] = number }
        }
        (major, minor, patch) = (numbers[0], numbers[1], numbers[2])
        self.prerelease = patch == nil ? [] : identifiers
    }

    /// What the version means behind an operator, as bounds.
    func bounds(for comparator: Comparator) -> [VersionBound] {
        guard let major else { return comparator == .below || comparator == .above ? [.nothing] : [] }
        switch comparator {
        case .none, .equal: return exactBounds
        case .tilde, .tildeGreater: return range(to: minor == nil ? nextMajor(major) : next(major, minor ?? 0))
        case .caret: return range(to: caretEnd(major))
        case .atLeast: return [VersionBound(relation: .atLeast, version: floor)]
        case .below:
            return [VersionBound(relation: .below, version: isComplete ? floor : floor.withEarliestPrerelease)]
        case .above:
            guard isComplete else { return [VersionBound(relation: .atLeast, version: ceiling(major))] }
            return [VersionBound(relation: .above, version: floor)]
        case .atMost:
            guard isComplete else {
                return [VersionBound(relation: .below, version: ceiling(major).withEarliestPrerelease)]
            }
            return [VersionBound(relation: .atMost, version: floor)]
        }
    }

    private var isComplete: Bool { patch != nil }

    /// The lowest version that is meant.
    private var floor: SemanticVersion {
        SemanticVersion(major ?? 0, minor ?? 0, patch ?? 0, prerelease: prerelease)
    }

    private var exactBounds: [VersionBound] {
        guard let major, !isComplete else { return [VersionBound(relation: .equal, version: floor)] }
        return range(to: ceiling(major))
    }

    /// The first version past those that an incomplete one stands for.
    private func ceiling(_ major: UInt64) -> SemanticVersion {
        minor.map { next(major, $0) } ?? nextMajor(major)
    }

    /// Where `^` ends: before the first number that is not zero changes.
    private func caretEnd(_ major: UInt64) -> SemanticVersion {
        if major > 0 || minor == nil { return nextMajor(major) }
        let minor = minor ?? 0
        if minor > 0 || patch == nil { return next(major, minor) }
        return SemanticVersion(0, 0, (patch ?? 0) + 1)
    }

    private func nextMajor(_ major: UInt64) -> SemanticVersion { SemanticVersion(major + 1, 0, 0) }

    private func next(_ major: UInt64, _ minor: UInt64) -> SemanticVersion { SemanticVersion(major, minor + 1, 0) }

    /// From the lowest up to the first that is no longer meant, whose prereleases are none of it.
    private func range(to end: SemanticVersion) -> [VersionBound] {
        [
            VersionBound(relation: .atLeast, version: floor),
            VersionBound(relation: .below, version: end.withEarliestPrerelease),
        ]
    }
}

extension VersionBound {
    /// What no version keeps to.
    fileprivate static let nothing = VersionBound(
        relation: .below, version: SemanticVersion(0, 0, 0).withEarliestPrerelease)
}

extension SemanticVersion {
    /// The version that comes before all of its prereleases: `2.0.0-0`.
    fileprivate var withEarliestPrerelease: SemanticVersion {
        SemanticVersion(major, minor, patch, prerelease: [.number(0)])
    }
}
