import ArgumentParser

/// Which answers of sources are used, and how many.
struct AnswerOptions: ParsableArguments {
    @Flag(help: "Answer from the samples that ship with each provider: no key, no network.")
    var sample = false

    @Flag(help: "Ask the sources again for what is stored, and store what they say.")
    var refresh = false

    @Flag(help: "Neither use stored answers nor store any.")
    var noCache = false

    @Option(help: ArgumentHelp("The most requests of one operation.", valueName: "n"))
    var maxRequests = 200

    @Flag(help: "Print each step on either side of the sandbox with its time, and what scripts log.")
    var trace = false

    func validate() throws {
        guard (1...100_000).contains(maxRequests) else {
            throw ValidationError("--max-requests is \(maxRequests), expected 1 to 100000.")
        }
    }
}

/// How servers are asked, and whether they are.
struct NetworkOptions: ParsableArguments {
    @Flag(help: "Print the requests that would be sent, secrets masked, and send none; or what would be downloaded.")
    var dryRun = false

    @Flag(help: "Use stored answers only, old ones too; nothing leaves the machine.")
    var offline = false

    @Option(
        name: .customLong("allow-host"),
        help: ArgumentHelp("A host on a private network that requests may go to.", valueName: "host[:port]"))
    var allowedHosts: [String] = []

    @Option(help: ArgumentHelp("A file of certificates to trust besides the system's.", valueName: "file"))
    var caFile: String?

    @Option(help: ArgumentHelp("The most megabytes of one answer.", valueName: "mb"))
    var maxBody = 32

    func validate() throws {
        guard (1...4_096).contains(maxBody) else {
            throw ValidationError("--max-body is \(maxBody), expected 1 to 4096 megabytes.")
        }
    }
}

/// Which scripts are run, and what they may use.
struct ScriptOptions: ParsableArguments {
    @Option(help: ArgumentHelp("The server to use, for software that runs on many.", valueName: "url"))
    var instance: String?

    @Option(help: ArgumentHelp("Seconds a script may run in one go. (default: 2)", valueName: "seconds"))
    var scriptTimeout: Double?

    @Option(help: ArgumentHelp("Megabytes of memory for one provider's script. (default: 256)", valueName: "mb"))
    var scriptMemory: Int?

    @Option(
        name: .customLong("providers-folder"),
        help: ArgumentHelp("A folder with providers, looked in before all others.", valueName: "folder"))
    var providerFolders: [String] = []

    static let timeouts = 0.01...600.0
    static let memories = 32...65_536

    func validate() throws {
        if let scriptTimeout, !Self.timeouts.contains(scriptTimeout) {
            throw ValidationError("--script-timeout is \(scriptTimeout), expected 0.01 to 600 seconds.")
        }
        if let scriptMemory, !Self.memories.contains(scriptMemory) {
            throw ValidationError("--script-memory is \(scriptMemory), expected 32 to 65536 megabytes.")
        }
    }
}

/// How much is said beside the results.
struct VerbosityOptions: ParsableArguments {
    @Flag(name: .shortAndLong, help: "Say nothing but results and errors.")
    var quiet = false

    @Flag(name: .shortAndLong, help: "Say more: requests, answers, what scripts log.")
    var verbose = false

    var verbosity: StatusLine.Verbosity { quiet ? .quiet : verbose ? .verbose : .normal }
}
