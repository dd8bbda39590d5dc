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
