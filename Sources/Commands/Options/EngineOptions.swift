import ArgumentParser
import Glibc
import ImgScript

/// Options that every command with an engine has.
struct EngineOptions: ParsableArguments {
    @Flag(help: "answer from the samples that ship with each provider; needs neither key nor network")
    var sample = false

    @Flag(help: "print the requests, secrets masked, or the planned downloads, and send nothing")
    var dryRun = false

    @Flag(help: "ask the sources again for cached responses, and update the cache")
    var refresh = false

    @Flag(help: "neither read nor write the cache")
    var noCache = false

    @Flag(help: "use only cached responses, stale ones too; make no connection")
    var offline = false

    @Option(help: .instance)
    var instance: String?

    @Option(name: .customLong("allow-host"), help: .allowedHosts)
    var allowedHosts: [String] = []

    @Option(help: .caFile)
    var caFile: String?

    @Option(within: scriptTimeouts, help: .scriptTimeout)
    var scriptTimeout: Double?

    @Option(within: scriptMemories, help: .scriptMemory)
    var scriptMemory: Int?

    @Option(within: 1...100_000, help: ArgumentHelp("maximum number of requests per operation", valueName: "n"))
    var maxRequests = 200

    @Option(within: 1...4_096, help: ArgumentHelp("maximum size of a response in megabytes", valueName: "mb"))
    var maxBody = 32

    @Option(name: .customLong("providers-folder"), help: .providerFolders)
    var providerFolders: [String] = []

    @Flag(name: .shortAndLong, help: .quiet)
    var quiet = false

    @Flag(name: .shortAndLong, help: "print requests, responses and what scripts log")
    var verbose = false

    @Flag(help: "print each step inside and outside the sandbox with its time, and what scripts log")
    var trace = false

    static let scriptTimeouts = 0.01...600.0
    static let scriptMemories = 32...65_536

    func validate() throws {
        let exclusive = [
            ("--sample", sample), ("--dry-run", dryRun), ("--refresh", refresh), ("--no-cache", noCache),
            ("--offline", offline),
        ]
        let given = exclusive.filter(\.1).map(\.0)
        guard given.count <= 1 else { throw ValidationError.exclusive(given) }
    }

    /// Folders that were named and do not exist: most likely a slip.
    var missingFolders: [String] {
        providerFolders.filter { folder in
            var facts = stat()
            return stat(folder, &facts) != 0 || facts.st_mode & S_IFMT != S_IFDIR
        }
    }

    /// Puts these options, which come before the configuration file's, into an engine's configuration.
    func apply(to settings: inout ImageEngine.Configuration, _ file: ConfigurationFile) {
        settings.providerFolders = providerFolders + settings.providerFolders
        settings.allowedHosts = allowedHosts + (file.allowHosts ?? [])
        settings.certificateFile = caFile ?? file.caFile
        if let seconds = scriptTimeout ?? file.scriptTimeout { settings.scriptTimeout = .seconds(seconds) }
        settings.scriptMemory = scriptMemory ?? file.scriptMemory ?? settings.scriptMemory
        settings.maximumRequests = maxRequests
        settings.maximumBody = maxBody << 20
        settings.instance = instance
        settings.cacheMode = refresh ? .refresh : noCache ? .bypass : offline ? .offline : .standard
        settings.answers = sample ? .samples : dryRun ? .dryRun : .live
    }

    /// Those of the options that keep every request from being sent, as they were given.
    var withoutRequests: [String] {
        [("--sample", sample), ("--dry-run", dryRun), ("--offline", offline)].filter(\.1).map(\.0)
    }

    var verbosity: StatusLine.Verbosity { quiet ? .quiet : verbose ? .verbose : .normal }
}

/// The engine's options for a command that neither runs a script nor sends a request: they are taken, and hidden.
struct LocalEngineOptions: ParsableArguments {
    @OptionGroup(visibility: .hidden) var engine: EngineOptions

    func validate() throws {
        if engine.dryRun { throw ValidationError.nothingToSend }
    }
}

/// Those of the engine's options that matter where a registry is asked.
struct RegistryEngineOptions: ParsableArguments {
    @Flag(help: .packDryRun)
    var dryRun = false

    @OptionGroup var network: NetworkOptions

    /// The engine's options with these among them.
    var engine: EngineOptions { get throws { try network.engine(dryRun: dryRun) } }
}

/// Those of the engine's options that matter where packs are fetched, and tried before they are used.
struct PackEngineOptions: ParsableArguments {
    @Flag(help: .packDryRun)
    var dryRun = false

    @OptionGroup var network: NetworkOptions
    @OptionGroup var scripts: ScriptOptions

    /// The engine's options with these among them.
    var engine: EngineOptions { get throws { scripts.applied(to: try network.engine(dryRun: dryRun)) } }
}

/// Those of the engine's options that matter where packs are only tried.
struct TriedPackOptions: ParsableArguments {
    @OptionGroup var network: NetworkOptions
    @OptionGroup var scripts: ScriptOptions

    /// Taken to be refused with a reason.
    @Flag(help: .hidden)
    var dryRun = false

    /// The engine's options with these among them.
    var engine: EngineOptions { get throws { scripts.applied(to: try network.engine(dryRun: false)) } }

    func validate() throws {
        if dryRun { throw ValidationError.nothingToSend }
    }
}

/// Those of the engine's options that matter for keys.
struct KeyEngineOptions: ParsableArguments {
    @Option(name: .customLong("providers-folder"), help: .providerFolders)
    var providerFolders: [String] = []

    @OptionGroup var scripts: ScriptOptions

    @Flag(name: .shortAndLong, help: .quiet)
    var quiet = false

    @Flag(name: .shortAndLong, help: "print more")
    var verbose = false

    /// Taken without effect, so that a server's options are the same everywhere.
    @Option(name: .customLong("allow-host"), help: .hidden)
    var allowedHosts: [String] = []

    @Option(help: .hidden)
    var caFile: String?

    /// Taken to be refused with a reason.
    @Flag(help: .hidden)
    var dryRun = false

    /// The engine's options with these among them.
    var engine: EngineOptions {
        get throws {
            var engine = scripts.applied(to: try EngineOptions.parse([]))
            engine.providerFolders = providerFolders
            engine.quiet = quiet
            engine.verbose = verbose
            return engine
        }
    }

    func validate() throws {
        if dryRun { throw ValidationError.nothingToSend }
    }
}

/// Which hosts may be connected to, and what is printed.
struct NetworkOptions: ParsableArguments {
    @Flag(help: "use only files on this machine; make no connection")
    var offline = false

    @Option(name: .customLong("allow-host"), help: .allowedHosts)
    var allowedHosts: [String] = []

    @Option(help: .caFile)
    var caFile: String?

    @Flag(name: .shortAndLong, help: .quiet)
    var quiet = false

    @Flag(name: .shortAndLong, help: "print more")
    var verbose = false

    /// The engine's options with these among them.
    fileprivate func engine(dryRun: Bool) throws -> EngineOptions {
        guard !dryRun || !offline else { throw ValidationError.exclusive(["--dry-run", "--offline"]) }
        var engine = try EngineOptions.parse([])
        engine.dryRun = dryRun
        engine.offline = offline
        engine.allowedHosts = allowedHosts
        engine.caFile = caFile
        engine.quiet = quiet
        engine.verbose = verbose
        return engine
    }
}

/// How scripts run that send no requests.
struct ScriptOptions: ParsableArguments {
    @Option(help: .instance)
    var instance: String?

    @Option(within: EngineOptions.scriptTimeouts, help: .scriptTimeout)
    var scriptTimeout: Double?

    @Option(within: EngineOptions.scriptMemories, help: .scriptMemory)
    var scriptMemory: Int?

    /// An engine's options with these among them.
    fileprivate func applied(to engine: EngineOptions) -> EngineOptions {
        var engine = engine
        engine.instance = instance
        engine.scriptTimeout = scriptTimeout
        engine.scriptMemory = scriptMemory
        return engine
    }
}

extension ValidationError {
    /// Options that cannot be combined.
    static func exclusive(_ options: [String]) -> ValidationError {
        ValidationError("\(options.joined(separator: " and ")) cannot be combined")
    }

    fileprivate static let nothingToSend = ValidationError("--dry-run: this command sends no requests")
}

/// The help of options that several groups have.
extension ArgumentHelp {
    static let allowedHosts = ArgumentHelp("allow requests to a host on a private network", valueName: "host[:port]")
    static let caFile = ArgumentHelp("file of certificates to trust besides the system's", valueName: "file")
    static let instance = ArgumentHelp("server to use, for software that runs on many", valueName: "url")
    static let scriptTimeout = ArgumentHelp(
        "maximum seconds a script may run at a time (default: 2)", valueName: "seconds")
    static let scriptMemory = ArgumentHelp("megabytes of memory per provider script (default: 256)", valueName: "mb")
    static let providerFolders = ArgumentHelp("folder with providers, searched before all others", valueName: "folder")
    static let providers = ArgumentHelp(
        "provider to use, or “all”; may be repeated (default: openverse)", valueName: "name")
    static let limit = ArgumentHelp("maximum number of images per provider", valueName: "n")
    static let parameters = ArgumentHelp("provider parameter; may be repeated", valueName: "name=value")
    static let quiet: ArgumentHelp = "print only results and errors"
    fileprivate static let packDryRun: ArgumentHelp = "show what would be done, and change nothing"
}

extension NameSpecification {
    static let providers: NameSpecification = [.customShort("p", allowingJoined: true), .customLong("provider")]
    static let limit: NameSpecification = [.customShort("n", allowingJoined: true), .long]
}
