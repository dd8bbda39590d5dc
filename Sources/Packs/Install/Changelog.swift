/// The sections of a `CHANGELOG.md`, which begin with a heading that names a version: `## [1.2.0] - 2026-11-20`.
package struct Changelog: Sendable {
    private let sections: [(version: SemanticVersion, lines: [String])]

    /// Reads a changelog.
    package init(_ text: String) {
        var sections: [(version: SemanticVersion, lines: [String])] = []
        for line in text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init) {
            if line.hasPrefix("#"), let version = Self.version(in: line) {
                sections.append((version, [line]))
            } else if !sections.isEmpty {
                sections[sections.count - 1].lines.append(line)
            }
        }
        self.sections = sections
    }

    /// What stands under the versions above one, up to another, without empty lines at the ends.
    package func lines(after former: SemanticVersion, through next: SemanticVersion) -> [String] {
        sections.filter { $0.version > former && $0.version <= next }.flatMap { section in
            section.lines.filter { $0.contains { !$0.isWhitespace } }
        }
    }

    private static func version(in heading: String) -> SemanticVersion? {
        for word in heading.split(whereSeparator: { $0 == " " || $0 == "#" || $0 == "[" || $0 == "]" || $0 == "(" }) {
            if let version = SemanticVersion(word.hasPrefix("v") ? String(word.dropFirst()) : String(word)) {
                return version
            }
        }
        return nil
    }
}
