import ArgumentParser

/// The engine's options for a command that runs scripts and asks nobody.
struct ScriptedEngineOptions: ParsableArguments {
    @OptionGroup var engine: EngineOptions

    func validate() throws { try engine.refuseDryRun() }
}

/// The engine's options for a command that neither runs a script nor asks anybody: it takes them, and its help leaves them out.
struct LocalEngineOptions: ParsableArguments {
    @OptionGroup(visibility: .hidden) var engine: EngineOptions

    func validate() throws { try engine.refuseDryRun() }
}

extension EngineOptions {
    /// Who writes it wants nothing done, and such a command would do all of it.
    fileprivate func refuseDryRun() throws {
        guard dryRun else { return }
        throw ValidationError("--dry-run prints requests in place of sending them, and this command sends none.")
    }
}
