import FoundationEssentials
import ProviderModel
import ProviderRuntime
import Synchronization

/// What the workers of a run have counted, added up.
package final class CoverageTally: Sendable {
    private let parser: String
    private let files = Mutex<[String: WorkerSettings.Coverage.File]>([:])

    /// A tally that begins at nothing.
    package init(parser: CoverageParser) { self.parser = parser.text }

    /// How workers count for files in a folder.
    func counting(in folder: String) -> WorkerSettings.Coverage {
        WorkerSettings.Coverage(parser: parser) { [self] counted in
            files.withLock { files in
                for file in counted { files[folder.path(to: file.file), default: .init(file: file.file)].add(file) }
            }
        }
    }

    /// What was counted so far.
    package var report: CoverageReport {
        CoverageReport(
            files: files.withLock { files in
                files.sorted { $0.key < $1.key }.map { CoverageReport.File(path: $0.key, counts: $0.value) }
            })
    }
}

extension WorkerSettings.Coverage.File {
    /// Adds the counts of another run of the same text; those of another text take their place.
    mutating func add(_ other: Self) {
        guard lines.map(\.number) == other.lines.map(\.number), functions.count == other.functions.count,
            branches.count == other.branches.count
        else {
            self = other
            return
        }
        trouble = trouble ?? other.trouble
        for index in lines.indices { lines[index].count += other.lines[index].count }
        for index in functions.indices { functions[index].count += other.functions[index].count }
        for index in branches.indices { branches[index].count += other.branches[index].count }
    }
}

/// The parser that finds what can be counted in a provider's file: acorn (https://github.com/acornjs/acorn), which runs
/// in the sandbox of the script.
///
/// It is found where it is installed; imgscript ships no copy.
package struct CoverageParser: Sendable {
    /// Where Debian's node-acorn, npm and a system-wide npm put it.
    package static let usualPaths = [
        "/usr/share/nodejs/acorn/dist/acorn.js", "/usr/local/lib/node_modules/acorn/dist/acorn.js",
        "/usr/lib/node_modules/acorn/dist/acorn.js",
    ]

    /// Where it lies.
    package let path: String
    /// Its text.
    package let text: String

    /// The largest file that is taken for a parser; acorn is a quarter of it.
    private static let sizeLimit = 1 << 20

    /// Finds the parser in the first of these places that has it.
    package init(in paths: [String] = usualPaths) throws(ProviderError) {
        for path in paths where FileManager.default.fileExists(atPath: path) {
            // An unreadable file needs the same hint as a file that is not the parser.
            guard let data = try? Data(contentsOf: URL(filePath: path)), data.count <= Self.sizeLimit,
                let text = String(validating: data, as: UTF8.self), text.contains("acorn")
            else {
                throw ProviderError(
                    .unsupported, provider: "",
                    message: "could not use \(path) (expected the parser acorn, a text of at most 1 MB)",
                    hint: "install the package node-acorn again")
            }
            (self.path, self.text) = (path, text)
            return
        }
        throw ProviderError(
            .unsupported, provider: "", message: "coverage needs the parser acorn, which is not installed",
            hint: "install the package node-acorn, or acorn from npm")
    }
}
