import Glibc
import ProviderModel
import ProviderRuntime

/// How providers are tested: by the checks that hold for all, and by their own test files.
public struct TestSettings: Sendable {
    /// What happens to values that a test compares with its snapshots.
    public enum Snapshots: String, Sendable, CaseIterable {
        /// Values without a snapshot are kept; others have to be the same.
        case new
        /// Every value is kept, and snapshots that no test looks at are dropped.
        case all
        /// Nothing is kept; a value without a snapshot fails.
        case none
        /// Nothing is kept and nothing compared: what a service says now is never what it said then.
        case ignore
    }

    /// The `imgscript-worker` executable; nil for the one named by `IMGSCRIPT_WORKER`, or lying beside this program.
    public var worker: String?
    /// How long a script may run in one go, not counting what it waits for.
    public var deadline = Duration.seconds(2)
    /// How long the tests of one file may take together.
    public var fileDeadline = Duration.seconds(60)
    /// Megabytes of memory for one provider's script, its tests included.
    public var memory = 256
    /// Changed answers that are tried, over all operations together.
    public var mutations = 120
    /// What the choice of changes begins with; the same seed gives the same run.
    public var seed: UInt64 = 1
    /// The server to run on, for software that runs on many; nil for its own or that of its cassettes.
    public var instance: String?
    /// What happens to snapshots.
    public var snapshots = Snapshots.new
    /// What the names of the checks and tests that run have in them, in whatever case, or the provider's id; nil for all.
    public var filter: String?
    /// Whether a provider's run ends with its first failure.
    public var stopsAtFailure = false
    /// The folder whose folders named after providers hold their cassettes; nil for `cassettes` beside the file.
    public var cassetteFolder: String?
    /// Adds up what of the files is reached; nil for no count.
    package var coverage: CoverageTally?
    /// Holds the cassettes for all that is run, and notes which answers are needed; nil where that is not needed.
    package var uses: CassetteUses?

    /// The default settings.
    public init() {}

    /// Where a file's cassettes lie.
    package func cassetteFolder(of file: ProviderFile) -> String {
        "\(cassetteFolder ?? file.folder.path(to: "cassettes"))/\(file.id)"
    }

    /// A file's cassettes, read from its folder.
    package func library(of file: ProviderFile) throws(ProviderError) -> CassetteLibrary {
        let folder = cassetteFolder(of: file)
        guard let uses else { return try CassetteLibrary(folder: folder) }
        return try uses.library(in: folder)
    }

    /// How a file's script is run.
    func workerSettings(of file: ProviderFile, log: ScriptLog) -> WorkerSettings {
        var worker = WorkerSettings(executable: workerPath)
        worker.coverage = coverage?.counting(in: file.folder)
        worker.deadline = deadline
        worker.memory = memory
        worker.log = { log.add("\($0.level): \($0.text)") }
        return worker
    }

    /// Whether a check of a provider runs.
    func selects(_ name: String, of provider: ProviderID) -> Bool {
        guard let filter = filter?.lowercased() else { return true }
        return name.lowercased().contains(filter) || provider.description.contains(filter)
    }

    /// The worker that is used.
    package var workerPath: String {
        if let worker { return worker }
        if let named = getenv("IMGSCRIPT_WORKER").map({ String(cString: $0) }), !named.isEmpty { return named }
        var candidates: [String] = []
        if let path = realpath("/proc/self/exe", nil) {
            defer { free(path) }
            let parts = String(cString: path).split(separator: "/").dropLast()
            candidates.append(parts.reduce(into: "") { $0 += "/\($1)" } + "/imgscript-worker")
            candidates.append(
                parts.dropLast().reduce(into: "") { $0 += "/\($1)" } + "/libexec/imgscript/imgscript-worker")
        }
        return candidates.first { access($0, X_OK) == 0 } ?? "imgscript-worker"
    }
}
