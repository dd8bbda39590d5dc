import ArgumentParser
import ImgScript

struct ShowProvider: EngineCommand {
    static let configuration = CommandConfiguration(
        commandName: "info", abstract: "Prints a provider's parameters, limits and terms.")

    @Argument(help: "The provider.")
    var name: String

    @OptionGroup var engine: EngineOptions

    func run(in context: AppContext) async throws {
        try await context.engine.checkInstance(isTakenBy: [name])
        let manifest = try await context.engine.manifest(of: name)
        try context.print(ManifestDescription(manifest, server: engine.instance).lines(on: context.terminal))
    }
}
