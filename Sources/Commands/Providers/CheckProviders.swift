import ArgumentParser
import ImgScriptKit

struct CheckProviders: EngineCommand {
    static let configuration = CommandConfiguration(
        commandName: "check", abstract: "Evaluates a provider's file and checks it against the contract.")

    @Argument(help: ArgumentHelp("The provider's file.", valueName: "file"))
    var file: String

    @OptionGroup var engine: EngineOptions

    func run(in context: AppContext) async throws {
        let manifest: ProviderManifest
        do { manifest = try await context.engine.check(file: file) } catch {
            context.status.error(error)
            throw ExitStatus.failure
        }
        var list = CheckList()
        let operations = manifest.operations.map(\.operation.rawValue).joined(separator: ", ")
        list.add(.good, "\(manifest.id) \(manifest.version)", "keeps to contract \(ProviderManifest.contract)")
        list.add(.good, "operations", operations)
        try context.print(list.lines(on: context.terminal))
        if list.hasFailure { throw ExitStatus.failure }
    }
}
