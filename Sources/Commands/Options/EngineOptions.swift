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

    @OptionGroup var network: NetworkOptions
    @OptionGroup var cookies: CookieOptions

    @Flag(help: "store the cookies that sources set, for the next run")
    var updateCookies = false

    @OptionGroup var scripts: ScriptOptions

    @Option(within: 1...100_000, help: ArgumentHelp("maximum number of requests per operation", valueName: "n"))
    var maxRequests = 200

    @Option(within: 1...4_096, help: ArgumentHelp("maximum size of a response in megabytes", valueName: "mb"))
    var maxBody = 32

    @Option(name: .customLong("providers-folder"), help: .providerFolders, completion: .directory)
    var providerFolders: [String] = []

    @OptionGroup var groups: ProviderGroupOptions

    @OptionGroup var statuses: StatusOptions

    @Option(
        name: .customLong("save-response"),
        help: ArgumentHelp("file for the responses that the first failed call got, secrets masked", valueName: "file"),
        completion: .file())
    var savedResponse: String?

    @Flag(help: "do not look for newer versions of packs, which is done once a day at a terminal")
    var noUpdateCheck = false

    @Flag(help: "print each step inside and outside the sandbox with its time, and what scripts log")
    var trace = false

    func validate() throws {
        let exclusive = withoutRequests + (refresh ? ["--refresh"] : []) + (noCache ? ["--no-cache"] : [])
        guard exclusive.count <= 1 else { throw ValidationError.exclusive(exclusive) }
    }

    /// Folders that were named and do not exist: most likely a slip.
    var missingFolders: [String] {
        providerFolders.filter { folder in
            var facts = stat()
            return stat(folder, &facts) != 0 || facts.st_mode & S_IFMT != S_IFDIR
        }
    }

    /// Those of the options that keep every request from being sent, as they were given.
    var withoutRequests: [String] {
        [("--sample", sample), ("--dry-run", dryRun), ("--offline", network.offline)].filter(\.1).map(\.0)
    }

    /// Puts these options into an engine's configuration.
    func apply(to settings: inout ImageEngine.Configuration) throws {
        settings.providerFolders = providerFolders + settings.providerFolders
        settings.allowedHosts = network.allowedHosts
        settings.certificateFile = network.caFile
        if let seconds = scripts.scriptTimeout { settings.scriptTimeout = .seconds(seconds) }
        settings.scriptMemory = scripts.scriptMemory ?? settings.scriptMemory
        if let seconds = network.connectTimeout { settings.connectTimeout = .seconds(seconds) }
        if let seconds = network.timeout { settings.idleTimeout = .seconds(seconds) }
        settings.retries = network.retries ?? settings.retries
        settings.proxy = network.proxy
        settings.contact = network.contact
        try groups.apply(to: &settings)
        settings.maximumRequests = maxRequests
        settings.maximumBody = maxBody << 20
        settings.cookies = cookies.origin
        settings.storesCookies = updateCookies
        settings.statusURLs = statuses.urls
        settings.instance = scripts.instance
        settings.cacheMode = refresh ? .refresh : noCache ? .bypass : network.offline ? .offline : .default
        settings.answers = sample ? .samples : dryRun ? .dryRun : .live
    }

    /// The options of a command that has only some of them; the others have their defaults.
    fileprivate static func partial(
        network: NetworkOptions, scripts: ScriptOptions? = nil, dryRun: Bool = false
    ) throws -> EngineOptions {
        var options = try EngineOptions.parse([])
        options.network = network
        if let scripts { options.scripts = scripts }
        options.dryRun = dryRun
        try options.validate()
        return options
    }
}

// MARK: - Groups of options

/// Which hosts may be connected to, and what is printed.
struct NetworkOptions: ParsableArguments {
    @Flag(help: "make no connection; use what is cached or on disk, even if stale")
    var offline = false

    @Option(
        name: .customLong("allow-host"),
        help: ArgumentHelp("allow requests to a host on a private network", valueName: "host[:port]"))
    var allowedHosts: [String] = []

    @Option(
        help: ArgumentHelp("file of certificates to trust besides the system's", valueName: "file"), completion: .file()
    )
    var caFile: String?

    @Option(help: ArgumentHelp("proxy for all requests, instead of the environment's", valueName: "url"))
    var proxy: String?

    @Option(
        within: timeouts, help: ArgumentHelp("maximum seconds to connect (default: 10)", valueName: "seconds"))
    var connectTimeout: Double?

    @Option(
        within: timeouts,
        help: ArgumentHelp("maximum seconds without data from a server (default: 20)", valueName: "seconds"))
    var timeout: Double?

    @Option(
        within: retryCounts,
        help: ArgumentHelp("how often to retry a request that failed (default: 3)", valueName: "n"))
    var retries: Int?

    @Option(
        help: ArgumentHelp(
            "e-mail address or URL for sources, in the User-Agent; some ask for it", valueName: "contact"),
        transform: Self.contact)
    var contact: String?

    @Option(help: .profile, completion: .profiles)
    var profile: String?

    static let timeouts = 0.1...3_600.0
    static let retryCounts = 0...100

    @Flag(name: .shortAndLong, help: "print only results and errors")
    var quiet = false

    @Flag(name: .shortAndLong, help: "print requests, responses and what scripts log")
    var verbose = false

    private static func contact(_ text: String) throws -> String {
        guard !text.isEmpty, text.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7f && $0 != UInt8(ascii: ")") }) else {
            throw ValidationError("expected an e-mail address or URL")
        }
        return text
    }

    var verbosity: StatusLine.Verbosity { quiet ? .quiet : verbose ? .verbose : .normal }
}

/// Where the cookies of the user's logins come from.
struct CookieOptions: ParsableArguments {
    @Option(
        name: .customLong("cookies"),
        help: ArgumentHelp("file with the cookies of your login: cookies.txt, or JSON", valueName: "file"),
        completion: .file())
    var file: String?

    @Option(
        name: .customLong("cookies-from-browser"),
        help: ArgumentHelp(
            "browser with your login: firefox, chromium, chrome, brave, edge, …",
            valueName: "browser[:profile][::container]"),
        completion: .list(ImageEngine.Configuration.CookieOrigin.browsers))
    var browser: String?

    /// Where they come from; nil for those that are stored.
    var origin: ImageEngine.Configuration.CookieOrigin? {
        if let file { return .file(file) }
        return browser.map { .init(browser: $0) }
    }

    func validate() throws {
        if file != nil, browser != nil { throw ValidationError.exclusive(["--cookies", "--cookies-from-browser"]) }
    }
}

/// Where others say which sources are broken.
struct StatusOptions: ParsableArguments {
    @Option(
        name: .customLong("status"),
        help: ArgumentHelp(
            "URL of a signed status of the sources, to know which are broken; may be repeated", valueName: "url"),
        transform: Self.url)
    var urls: [String] = []

    @Option(
        name: .customLong("status-key"),
        help: ArgumentHelp(
            "minisign public key that a status has to be signed with; may be repeated", valueName: "key"))
    var keys: [String] = []

    private static func url(_ text: String) throws -> String {
        guard text.isWebAddress else { throw ValidationError("expected a URL such as https://example.org/status.json") }
        return text
    }
}

/// How scripts run.
struct ScriptOptions: ParsableArguments {
    @Option(help: ArgumentHelp("server to use, for software that runs on many servers", valueName: "url"))
    var instance: String?

    @Option(
        within: timeouts,
        help: ArgumentHelp("maximum seconds a script may run at a time (default: 2)", valueName: "seconds"))
    var scriptTimeout: Double?

    @Option(
        within: memories, help: ArgumentHelp("megabytes of memory per provider script (default: 256)", valueName: "mb"))
    var scriptMemory: Int?

    static let timeouts = 0.01...600.0
    static let memories = 32...65_536
}

// MARK: - Options of single commands

/// The engine's options for a command that neither runs a script nor sends a request: they are taken, and hidden.
struct LocalEngineOptions: ParsableArguments {
    @OptionGroup(visibility: .hidden) var engine: EngineOptions

    func validate() throws {
        if engine.dryRun { throw ValidationError.nothingToSend }
    }
}

/// The engine's options for commands that change something and run no script.
struct RegistryEngineOptions: ParsableArguments {
    @Flag(help: .packDryRun)
    var dryRun = false

    @OptionGroup var network: NetworkOptions

    /// The engine's options with these among them.
    var engine: EngineOptions { get throws { try .partial(network: network, dryRun: dryRun) } }
}

/// The engine's options for commands that fetch and test packs.
struct PackEngineOptions: ParsableArguments {
    @Flag(help: .packDryRun)
    var dryRun = false

    @OptionGroup var network: NetworkOptions
    @OptionGroup var scripts: ScriptOptions

    /// The engine's options with these among them.
    var engine: EngineOptions { get throws { try .partial(network: network, scripts: scripts, dryRun: dryRun) } }
}

/// The engine's options for commands that test packs.
struct TriedPackOptions: ParsableArguments {
    @OptionGroup var network: NetworkOptions
    @OptionGroup var scripts: ScriptOptions

    /// Taken to be refused with a reason.
    @Flag(help: .hidden)
    var dryRun = false

    /// The engine's options with these among them.
    var engine: EngineOptions { get throws { try .partial(network: network, scripts: scripts) } }

    func validate() throws {
        if dryRun { throw ValidationError.nothingToSend }
    }
}

/// The engine's options for commands about keys.
struct KeyEngineOptions: ParsableArguments {
    @Option(name: .customLong("providers-folder"), help: .providerFolders, completion: .directory)
    var providerFolders: [String] = []

    @OptionGroup var scripts: ScriptOptions

    /// Taken, so that a server's options are the same everywhere.
    @OptionGroup(visibility: .hidden) var network: NetworkOptions

    /// Taken to be refused with a reason.
    @Flag(help: .hidden)
    var dryRun = false

    /// The engine's options with these among them.
    var engine: EngineOptions {
        get throws {
            var engine = try EngineOptions.partial(network: network, scripts: scripts)
            engine.providerFolders = providerFolders
            return engine
        }
    }

    func validate() throws {
        if dryRun { throw ValidationError.nothingToSend }
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
    static let providerFolders = ArgumentHelp("folder with providers, searched before all others", valueName: "folder")
    static let providers = ArgumentHelp(
        "provider to use, @group or \"all\"; may be repeated (default: openverse, or from the settings)",
        valueName: "name")
    static let limit = ArgumentHelp("maximum number of images per provider (default: 20)", valueName: "n")
    static let parameters = ArgumentHelp("provider parameter; may be repeated", valueName: "name=value")
    fileprivate static let packDryRun: ArgumentHelp = "show what would be done, and change nothing"
}

extension NameSpecification {
    static let providers: NameSpecification = [.customShort("p", allowingJoined: true), .customLong("provider")]
    static let limit: NameSpecification = [.customShort("n", allowingJoined: true), .customLong("limit")]
}
