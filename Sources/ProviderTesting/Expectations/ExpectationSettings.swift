import ProviderRuntime

/// How test files are run.
public struct ExpectationSettings: Sendable {
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
    /// Megabytes of memory for a provider and its tests.
    public var memory = 256
    /// Only tests whose full name has this in it, in whatever case; nil for all.
    public var filter: String?
    /// What happens to snapshots.
    public var snapshots = Snapshots.new
    /// The server to run on, for software that runs on many; nil for its own or that of its cassettes.
    public var instance: String?
    /// Whether a file's run ends with its first failed test.
    public var stopsAtFailure = false
    /// The folder whose folders named after providers hold their cassettes; nil for `cassettes` beside the file.
    public var cassetteFolder: String?
    /// Adds up what of the files is reached; nil for no count.
    package var coverage: CoverageTally?
    /// Holds the cassettes for all that is run, and notes which answers are needed; nil where nobody wants to know.
    package var uses: CassetteUses?

    /// The default settings.
    public init() {}

    /// A file's cassettes, read from its folder.
    func library(of file: ProviderFile) throws(CassetteError) -> CassetteLibrary {
        let folder = "\(cassetteFolder ?? file.folder.path(to: "cassettes"))/\(file.id)"
        guard let uses else { return try CassetteLibrary(folder: folder) }
        return try uses.library(in: folder)
    }
}
