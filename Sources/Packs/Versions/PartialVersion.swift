/// What stands before a version in a range.
enum ComparatorSign: String, CaseIterable {
    // The longer signs first, so that `>=` is not read as `>`.
    case atLeast = ">="
    case atMost = "<="
    case tildeGreater = "~>"
    case above = ">"
    case below = "<"
    case equal = "="
    case caret = "^"
    case tilde = "~"
    case none = ""

    /// Whether a word is a sign that still waits for its version.
    static func isBare(_ word: String) -> Bool { !word.isEmpty && ComparatorSign(rawValue: word) != nil }

    /// The sign and what follows it.
    static func split(_ word: String) -> (ComparatorSign, String) {
        let sign = allCases.first { word.hasPrefix($0.rawValue) } ?? .none
        return (sign, String(word.dropFirst(sign.rawValue.count)))
    }
}

/// A version of which the end may be left open: `1`, `1.2`, `1.x`, `*`.
struct PartialVersion {
    private let major: UInt64?
    private let minor: UInt64?
    private let patch: UInt64?
    private let prerelease: [SemanticVersion.Identifier]

    init?(_ text: String) {
        var rest = text[...]
        // `v1.2` and `=v1.2` are what people paste.
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

    /// What the version means behind a sign, as bounds.
    func bounds(for sign: ComparatorSign) -> [VersionBound] {
        guard let major else { return sign == .below || sign == .above ? [.nothing] : [] }
        switch sign {
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
