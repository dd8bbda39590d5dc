import ArgumentParser
import Glibc
import ImgScript

/// Options that every command with an engine has.
///
/// They are one group: the parser of arguments takes 0.2 ms for each at every start.
/// Commands that neither run a script nor ask anybody take them, too, and leave them out of their help.
struct EngineOptions: ParsableArguments {
    @Flag(help: "Answer from the samples that ship with each provider: no key, no network.")
    var sample = false

    @Flag(help: "Print the requests that would be sent, secrets masked, and send none; or what would be downloaded.")
    var dryRun = false

    @Flag(help: "Ask the sources again for what is stored, and store what they say.")
    var refresh = false

    @Flag(help: "Neither use stored answers nor store any.")
    var noCache = false

    @Flag(help: "Use stored answers only, old ones too; nothing leaves the machine.")
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

    @Option(within: 1...100_000, help: ArgumentHelp("The most requests of one operation.", valueName: "n"))
    var maxRequests = 200

    @Option(within: 1...4_096, help: ArgumentHelp("The most megabytes of one answer.", valueName: "mb"))
    var maxBody = 32

    @Option(name: .customLong("providers-folder"), help: .providerFolders)
    var providerFolders: [String] = []

    @Flag(name: .shortAndLong, help: .quiet)
    var quiet = false

    @Flag(name: .shortAndLong, help: "Say more: requests, answers, what scripts log.")
    var verbose = false

    @Flag(help: "Print each step on either side of the sandbox with its time, and what scripts log.")
    var trace = false

    static let scriptTimeouts = 0.01...600.0
    static let scriptMemories = 32...65_536

    func validate() throws {
        let exclusive = [
            ("--sample", sample), ("--dry-run", dryRun), ("--refresh", refresh), ("--no-cache", noCache),
            ("--offline", offline),
        ]
        let given = exclusive.filter(\.1).map(\.0)
        guard given.count <= 1 else { throw ValidationError("\(given.joined(separator: " and ")) exclude each other.") }
    }

    /// Folders that were named and are none: most likely a slip.
    var missingFolders: [String] {
        providerFolders.filter { folder in
            var facts = stat()
            return stat(folder, &facts) != 0 || facts.st_mode & S_IFMT != S_IFDIR
        }
    }

    /// The settings with these options, which come before the configuration file's.
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
