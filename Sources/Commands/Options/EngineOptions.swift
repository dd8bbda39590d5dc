import ArgumentParser
import Glibc
import ImgScriptKit

/// Options that every command with an engine has.
struct EngineOptions: ParsableArguments {
    @OptionGroup var answers: AnswerOptions
    @OptionGroup var network: NetworkOptions
    @OptionGroup var script: ScriptOptions
    @OptionGroup var saying: VerbosityOptions

    func validate() throws {
        let exclusive = [
            ("--sample", answers.sample), ("--dry-run", network.dryRun), ("--refresh", answers.refresh),
            ("--no-cache", answers.noCache), ("--offline", network.offline),
        ]
        let given = exclusive.filter(\.1).map(\.0)
        guard given.count <= 1 else { throw ValidationError("\(given.joined(separator: " and ")) exclude each other.") }
    }

    /// Folders that were named and are none: most likely a slip.
    var missingFolders: [String] {
        script.providerFolders.filter { folder in
            var facts = stat()
            return stat(folder, &facts) != 0 || facts.st_mode & S_IFMT != S_IFDIR
        }
    }

    /// The settings with these options, which come before the configuration file's.
    func apply(to settings: inout ImgScript.Settings, _ file: ConfigurationFile) {
        settings.providerFolders = script.providerFolders + settings.providerFolders
        settings.allowedHosts = network.allowedHosts + (file.allowHosts ?? [])
        settings.certificateFile = network.caFile ?? file.caFile
        if let seconds = script.scriptTimeout ?? file.scriptTimeout { settings.scriptTimeout = .seconds(seconds) }
        settings.scriptMemory = script.scriptMemory ?? file.scriptMemory ?? settings.scriptMemory
        settings.maximumRequests = answers.maxRequests
        settings.maximumBody = network.maxBody << 20
        settings.instance = script.instance
        settings.cacheMode =
            answers.refresh ? .refresh : answers.noCache ? .bypass : network.offline ? .offline : .standard
        settings.answers = answers.sample ? .samples : network.dryRun ? .dryRun : .live
    }

    /// Those of the options that keep every request from being sent, as they were given.
    var withoutRequests: [String] {
        [("--sample", answers.sample), ("--dry-run", network.dryRun), ("--offline", network.offline)]
            .filter(\.1).map(\.0)
    }
}
