/// A version by Semantic Versioning 2.0.0: `1.2.3-beta.1+build`.
package struct SemanticVersion: Hashable, Sendable, Comparable, CustomStringConvertible {
    /// One part of what stands behind the dash.
    package enum Identifier: Hashable, Sendable, CustomStringConvertible {
        case number(UInt64)
        case word(String)

        package var description: String {
            switch self {
            case .number(let number): String(number)
            case .word(let word): word
            }
        }
    }

    /// The major version: incompatible changes.
    package let major: UInt64
    /// The minor version: new features.
    package let minor: UInt64
    /// The patch version: fixes.
    package let patch: UInt64
    /// The prerelease identifiers; empty for a release.
    package let prerelease: [Identifier]
    /// The build metadata, which does not affect the order.
    package let build: [String]

    /// npm's own limits, so that a version means the same to both.
    private static let maximumLength = 256
    package static let largestNumber: UInt64 = 9_007_199_254_740_991

    /// Parses a version; nil when it is none.
    package init?(_ text: String) {
        guard text.utf8.count <= Self.maximumLength else { return nil }
        let (rest, build) = Self.split(text[...], at: "+")
        let (core, prerelease) = Self.split(rest, at: "-")
        let numbers = core.split(separator: ".", omittingEmptySubsequences: false).map { Self.number($0) }
        guard numbers.count == 3, let major = numbers[0], let minor = numbers[1], let patch = numbers[2],
            let identifiers = Self.identifiers(prerelease), let labels = Self.labels(build)
        else { return nil }
        self.init(major, minor, patch, prerelease: identifiers, build: labels)
    }

    package init(
        _ major: UInt64, _ minor: UInt64, _ patch: UInt64, prerelease: [Identifier] = [], build: [String] = []
    ) {
        self.major = major
        self.minor = minor
        self.patch = patch
        self.prerelease = prerelease
        self.build = build
    }

    /// Whether it comes before the release of its numbers.
    package var isPrerelease: Bool { !prerelease.isEmpty }

    /// The version as it was written.
    package var description: String {
        var text = "\(major).\(minor).\(patch)"
        if isPrerelease { text += "-" + prerelease.map(\.description).joined(separator: ".") }
        if !build.isEmpty { text += "+" + build.joined(separator: ".") }
        return text
    }

    /// Semver 2.0.0 §10: what differs only in its build is the same version.
    package static func == (left: SemanticVersion, right: SemanticVersion) -> Bool {
        left.numbers == right.numbers && left.prerelease == right.prerelease
    }

    package func hash(into hasher: inout Hasher) {
        hasher.combine(numbers)
        hasher.combine(prerelease)
    }

    /// Semver 2.0.0 §11.
    package static func < (left: SemanticVersion, right: SemanticVersion) -> Bool {
        guard left.numbers == right.numbers else { return left.numbers.lexicographicallyPrecedes(right.numbers) }
        guard left.isPrerelease, right.isPrerelease else { return left.isPrerelease && !right.isPrerelease }
        for (one, other) in zip(left.prerelease, right.prerelease) where one != other {
            switch (one, other) {
            case (.number(let one), .number(let other)): return one < other
            case (.word(let one), .word(let other)): return one.utf8.lexicographicallyPrecedes(other.utf8)
            case (.number, .word): return true
            case (.word, .number): return false
            }
        }
        return left.prerelease.count < right.prerelease.count
    }

    /// Whether both have the same three numbers, which is what lets a range take prereleases.
    package func isSameRelease(as other: SemanticVersion) -> Bool { numbers == other.numbers }

    private var numbers: [UInt64] { [major, minor, patch] }

    /// A number without leading zeros.
    package static func number(_ text: Substring) -> UInt64? {
        guard !text.isEmpty, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }), text == "0" || text.first != "0",
            let number = UInt64(text), number <= largestNumber
        else { return nil }
        return number
    }

    /// The parts behind the dash; empty for nil, nil when one of them is none.
    package static func identifiers(_ text: Substring?) -> [Identifier]? {
        guard let labels = labels(text) else { return nil }
        var identifiers: [Identifier] = []
        for label in labels {
            if label.utf8.allSatisfy({ (0x30...0x39).contains($0) }) {
                guard let number = number(label[...]) else { return nil }
                identifiers.append(.number(number))
            } else {
                identifiers.append(.word(label))
            }
        }
        return identifiers
    }

    package static func labels(_ text: Substring?) -> [String]? {
        guard let text else { return [] }
        let labels = text.split(separator: ".", omittingEmptySubsequences: false)
        let areGood = labels.allSatisfy { label in
            !label.isEmpty
                && label.utf8.allSatisfy {
                    (0x30...0x39).contains($0) || (0x41...0x5a).contains($0) || (0x61...0x7a).contains($0) || $0 == 0x2d
                }
        }
        return areGood ? labels.map(String.init) : nil
    }

    package static func split(_ text: Substring, at mark: Character) -> (Substring, Substring?) {
        guard let index = text.firstIndex(of: mark) else { return (text, nil) }
        return (text[..<index], text[text.index(after: index)...])
    }
}
