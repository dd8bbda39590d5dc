import ArgumentParser

/// The engine's options for a command that asks servers for packs, and no source for images.
///
/// As below, the rest is taken, too, and not in its help.
struct PackEngineOptions: ParsableArguments {
    @OptionGroup(visibility: .hidden) var answers: AnswerOptions
    @OptionGroup var network: NetworkOptions
    @OptionGroup var script: ScriptOptions
    @OptionGroup var saying: VerbosityOptions

    func validate() throws { try engine.validate() }

    var engine: EngineOptions { EngineOptions(answers, network, script, saying) }
}

/// The engine's options for a command that runs scripts and asks nobody.
struct ScriptedEngineOptions: ParsableArguments {
    @OptionGroup(visibility: .hidden) var answers: AnswerOptions
    @OptionGroup(visibility: .hidden) var network: NetworkOptions
    @OptionGroup var script: ScriptOptions
    @OptionGroup var saying: VerbosityOptions

    func validate() throws { try engine.refuseDryRun() }

    var engine: EngineOptions { EngineOptions(answers, network, script, saying) }
}

/// The engine's options for a command that neither runs a script nor asks anybody.
struct LocalEngineOptions: ParsableArguments {
    @OptionGroup(visibility: .hidden) var engine: EngineOptions

    func validate() throws { try engine.refuseDryRun() }
}

extension EngineOptions {
    fileprivate init(
        _ answers: AnswerOptions, _ network: NetworkOptions, _ script: ScriptOptions, _ saying: VerbosityOptions
    ) {
        self.init()
        (self.answers, self.network, self.script, self.saying) = (answers, network, script, saying)
    }

    /// Who writes it wants nothing done, and such a command would do all of it.
    fileprivate func refuseDryRun() throws {
        guard network.dryRun else { return }
        throw ValidationError("--dry-run prints requests in place of sending them, and this command sends none.")
    }
}
