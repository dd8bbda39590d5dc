import Glibc
import ProviderModel
import ProviderRuntime

/// The settings of tests: of the checks that hold for all providers, and of their test files.
public struct TestSettings: Sendable {
    /// How values are compared with snapshots.
    public enum Snapshots: String, Sendable, CaseIterable {
        /// A value without a snapshot is stored; others have to be equal.
        case new
        /// Every value is stored, and snapshots of no test are removed.
        case all
        /// Nothing is stored; a value without a snapshot fails.
        case none
        /// Nothing is stored or compared, for responses of the live service.
        case ignore
    }

    /// The path of `imgscript-worker`; nil for `IMGSCRIPT_WORKER`, or the one beside this program.
    public var worker: String?
    /// The maximum time that a script runs without returning, requests excluded.
    public var deadline = Duration.seconds(2)
    /// The maximum time for all tests of one file.
    public var fileDeadline = Duration.seconds(60)
    /// The maximum memory of one provider's script and its tests in megabytes.
    public var memory = 256
    /// The number of changed responses to try, over all operations.
    public var mutations = 120
    /// The seed of the choice of changes; equal seeds give equal runs.
    public var seed: UInt64 = 1
    /// The server to use, for software that runs on many; nil for the default one or that of the cassettes.
    public var instance: String?
    /// How values are compared with snapshots.
    public var snapshots = Snapshots.new
    /// A part of the names of checks and tests, or of a provider's id, in any case: others do not run; nil for all.
    public var filter: String?
    /// Whether a provider's run ends with its first failure.
    public var stopsAtFailure = false
    /// The folder with a cassette folder for each provider; nil for `cassettes` beside the file.
    public var cassetteFolder: String?
    /// Adds up coverage; nil for none.
    package var coverage: CoverageTally?
    /// Shares the cassettes between runs and records which entries are used; nil for none.
    package var uses: CassetteUses?

    /// Creates the default settings.
    public init() {}

    /// The folder of a file's cassettes.
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
