import ArgumentParser

/// The engine's options for a command that neither runs a script nor asks anybody: it takes them, and its help leaves them out.
struct LocalEngineOptions: ParsableArguments {
    @OptionGroup(visibility: .hidden) var engine: EngineOptions

    func validate() throws {
        if engine.dryRun { throw EngineOptions.nothingIsSent }
    }
}

// What has a bearing on a command's work, in types of their own and no parts of `EngineOptions`: the parser goes through every
// group of a command at each start, and a search has no time for that.

/// What of the engine's options has a bearing where a registry is asked: whom to trust.
struct RegistryEngineOptions: ParsableArguments {
    @Flag(help: "Show what would be done, and do nothing of it.")
    var dryRun = false

    @OptionGroup var network: NetworkOptions

    /// The engine's options with these among them.
    var engine: EngineOptions { get throws { try network.engine(dryRun: dryRun) } }
}

/// What of the engine's options has a bearing where packs come from elsewhere, and are tried before they are used.
struct PackEngineOptions: ParsableArguments {
    @Flag(help: "Show what would be done, and do nothing of it.")
    var dryRun = false

    @OptionGroup var network: NetworkOptions
    @OptionGroup var trial: TrialOptions

    /// The engine's options with these among them.
    var engine: EngineOptions { get throws { trial.applied(to: try network.engine(dryRun: dryRun)) } }
}

/// What of the engine's options has a bearing where packs are only tried.
struct TriedPackOptions: ParsableArguments {
    @OptionGroup var network: NetworkOptions
    @OptionGroup var trial: TrialOptions

    /// Taken to be refused in a sentence.
    @Flag(help: .hidden)
    var dryRun = false

    /// The engine's options with these among them.
    var engine: EngineOptions { get throws { trial.applied(to: try network.engine(dryRun: false)) } }

    func validate() throws {
        if dryRun { throw EngineOptions.nothingIsSent }
    }
}

/// What of the engine's options has a bearing on keys: whose they are.
struct KeyEngineOptions: ParsableArguments {
    @Option(name: .customLong("providers-folder"), help: .providerFolders)
    var providerFolders: [String] = []

    @OptionGroup var trial: TrialOptions

    @Flag(name: .shortAndLong, help: .quiet)
    var quiet = false

    @Flag(name: .shortAndLong, help: "Say more.")
    var verbose = false

    /// Taken, as whoever names a server in the house names it everywhere: nobody is asked.
    @Option(name: .customLong("allow-host"), help: .hidden)
    var allowedHosts: [String] = []

    @Option(help: .hidden)
    var caFile: String?

    /// Taken to be refused in a sentence.
    @Flag(help: .hidden)
    var dryRun = false

    /// The engine's options with these among them.
    var engine: EngineOptions {
        get throws {
            var engine = trial.applied(to: try EngineOptions.parse([]))
            engine.providerFolders = providerFolders
            engine.quiet = quiet
            engine.verbose = verbose
            return engine
        }
    }

    func validate() throws {
        if dryRun { throw EngineOptions.nothingIsSent }
    }
}

/// Whom to ask and trust.
struct NetworkOptions: ParsableArguments {
    @Flag(help: "Take what is on this machine only.")
    var offline = false

    @Option(name: .customLong("allow-host"), help: .allowedHosts)
    var allowedHosts: [String] = []

    @Option(help: .caFile)
    var caFile: String?

    @Flag(name: .shortAndLong, help: .quiet)
    var quiet = false

    @Flag(name: .shortAndLong, help: "Say more.")
    var verbose = false

    /// The engine's options with these among them.
    fileprivate func engine(dryRun: Bool) throws -> EngineOptions {
        guard !dryRun || !offline else { throw ValidationError("--dry-run and --offline exclude each other.") }
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

/// How scripts run that ask nobody.
struct TrialOptions: ParsableArguments {
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

extension EngineOptions {
    /// Who writes it wants nothing done, and such a command would do all of it.
    fileprivate static let nothingIsSent = ValidationError(
        "--dry-run prints requests in place of sending them, and this command sends none.")
}
