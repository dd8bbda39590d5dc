import Foundation

/// The documentation of the repository.
enum Documentation {
    /// The repository's folder.
    static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()

    /// Documents that hold complete provider files.
    static let withProviders = ["README.md", "docs/provider-contract.md", "docs/writing-a-provider.md"]

    /// A document's text.
    static func text(of path: String) throws -> String {
        try String(contentsOf: root.appending(path: path), encoding: .utf8)
    }

    /// The fenced blocks of a language, without their fences.
    static func blocks(of language: String, in markdown: String) -> [String] {
        var blocks: [String] = []
        var open: [Substring]?
        for line in markdown.split(separator: "\n", omittingEmptySubsequences: false) {
            if let lines = open, line == "```" {
                blocks.append(lines.map { $0 + "\n" }.joined())
                open = nil
            } else if open != nil {
                open?.append(line)
            } else if line == "```\(language)" {
                open = []
            }
        }
        return blocks
    }

    /// The provider files of all documents, by the names in their first lines: `// providers/nasa.js`.
    static func providerFiles() throws -> [String: String] { try readFiles.get() }

    /// Read once: every documented provider's test asks for all of them.
    private static let readFiles = Result { try readProviderFiles() }

    private static func readProviderFiles() throws -> [String: String] {
        var files: [String: String] = [:]
        for block in try withProviders.flatMap({ blocks(of: "js", in: try text(of: $0)) }) {
            guard let name = block.firstMatch(of: /^\/\/ providers\/([a-z0-9-]+\.js)\n/)?.1 else { continue }
            files[String(name)] = block
        }
        return files
    }

    /// Commands with what they print, from blocks such as `$ imgscript doctor` and the lines after it.
    static func transcripts(in markdown: String) -> [(command: String, output: String)] {
        blocks(of: "console", in: markdown).flatMap { block in
            block.split(separator: "$ ").map { part in
                let lines = part.split(separator: "\n", maxSplits: 1, omittingEmptySubsequences: false)
                return (String(lines[0]), lines.count > 1 ? String(lines[1]) : "")
            }
        }
    }
}
