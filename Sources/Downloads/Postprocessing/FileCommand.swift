import ProviderModel

/// A command that is run after each downloaded file, without a shell.
///
/// ```swift
/// var options = DownloadOptions()
/// options.command = try FileCommand("optipng -quiet {path}")
/// ```
///
/// `{path}` and `{}` are the file's absolute path, `{folder}` is its folder, and all other fields are those of file names. A value is
/// always part of one word, whatever it holds.
public struct FileCommand: Hashable, Sendable {
    enum Part: Hashable, Sendable {
        case text(String)
        case path
        case folder
        case field(ItemExpression)
    }

    private let words: [[Part]]
    /// The names of the fields of images that it has.
    package let fields: [String]
    /// Whether `/bin/sh` runs it.
    let isForShell: Bool

    /// Parses a command.
    ///
    /// - Parameters:
    ///   - text: words with fields in braces; quotes and backslashes group words as in a shell, and nothing else is special. For a
    ///     shell, a script of `/bin/sh` in which each value is quoted.
    ///   - isForShell: whether `/bin/sh -c` runs the command.
    /// - Throws: ``DownloadError`` with the code `option` when a quote or a brace is not closed, a field is unknown, or there is no
    ///   command.
    public init(_ text: String, isForShell: Bool = false) throws {
        self.isForShell = isForShell
        func fault(_ what: String) -> DownloadError {
            DownloadError(.option, "invalid command \(text.quoted): \(what)")
        }
        guard !text.trimmingSpaces.isEmpty else {
            throw fault("empty (expected a program and its arguments)")
        }
        guard let split = isForShell ? [text] : Self.split(text) else {
            throw fault("a quote is not closed")
        }
        var words: [[Part]] = []
        var fields: [String] = []
        for word in split { words.append(try Self.parts(of: word, &fields, fault)) }
        (self.words, self.fields) = (words, fields)
    }

    /// The program and its arguments for a file at an absolute path.
    func arguments(for subject: ItemSubject, at path: String) -> [String] {
        let folder = path.lastIndex(of: "/").map { String(path[..<$0]) } ?? "."
        return arguments(for: subject, path: path, folder: folder)
    }

    /// The program and its arguments for a folder, which is the path, too.
    func arguments(in folder: String) -> [String] { arguments(for: nil, path: folder, folder: folder) }

    private func arguments(for subject: ItemSubject?, path: String, folder: String) -> [String] {
        let filled = words.map { parts in
            parts.map { part in
                let value: String
                switch part {
                case .text(let text): return text
                case .path: value = path
                case .folder: value = folder
                // A NUL would end the argument.
                case .field(let field): value = subject.flatMap { field.value(of: $0) }?.replacing("\0", with: "") ?? ""
                }
                return isForShell ? "'\(value.replacing("'", with: "'\\''"))'" : value
            }.joined()
        }
        return isForShell ? ["/bin/sh", "-c"] + filled : filled
    }

    private static func parts(
        of word: String, _ fields: inout [String], _ fault: (String) -> DownloadError
    ) throws -> [Part] {
        var parts: [Part] = []
        var rest = word[...]
        while !rest.isEmpty {
            let literal = rest.prefix { $0 != "{" }
            if !literal.isEmpty { parts.append(.text(String(literal))) }
            rest = rest[literal.endIndex...]
            guard !rest.isEmpty else { break }
            // `${name}` is the shell's own.
            guard let end = rest.firstIndex(of: "}") else { throw fault("{ without }") }
            let name = rest[rest.index(after: rest.startIndex)..<end]
            switch name {
            case "", "path": parts.append(.path)
            case "folder": parts.append(.folder)
            default:
                fields.append(String(name))
                do throws(ItemExpression.Fault) { parts.append(.field(try ItemExpression(name))) } catch {
                    throw fault(error.message)
                }
            }
            rest = rest[rest.index(after: end)...]
        }
        return parts
    }

    /// The words of a command line; nil where a quote is not closed.
    private static func split(_ text: String) -> [String]? {
        var words: [String] = []
        var word: String?
        var quote: Character?
        var rest = text[...]
        while let character = rest.popFirst() {
            if let open = quote {
                if character == open {
                    quote = nil
                } else if character == "\\", open == "\"", let next = rest.first, "\"\\".contains(next) {
                    word?.append(rest.removeFirst())
                } else {
                    word?.append(character)
                }
            } else if character == "'" || character == "\"" {
                quote = character
                word = word ?? ""
            } else if character.isWhitespace {
                if let finished = word.take() { words.append(finished) }
            } else if character == "\\", let next = rest.popFirst() {
                word = (word ?? "") + String(next)
            } else {
                word = (word ?? "") + String(character)
            }
        }
        guard quote == nil else { return nil }
        if let word { words.append(word) }
        return words
    }
}

/// What came of the command after a file.
public struct FileCommandResult: Sendable {
    /// The file's path below the folder of downloads.
    public let path: String
    /// What the command wrote to its output, at most 1 MiB.
    public let output: String
    /// Why it failed; nil where it succeeded.
    public let failure: String?
}
