import ArgumentParser

/// A command that works with an engine: joining it, ending it, and turning errors into sentences are the same for all.
protocol EngineCommand: AsyncParsableCommand {
    /// The options that the engine is made with.
    var engine: EngineOptions { get throws }

    /// The command's own work.
    func run(in context: AppContext) async throws
}

extension EngineCommand {
    func run() async throws {
        let context = try AppContext(try engine)
        try await context.run { try await run(in: context) }
    }
}

extension AppContext {
    /// Prints lines of results.
    func print(_ lines: [String]) throws {
        for line in lines { try printLine(line) }
    }
}
