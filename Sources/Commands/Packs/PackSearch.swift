import ArgumentParser
import Packs

struct PackSearch: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "search", abstract: "Finds packs in the registry: packages with the keyword imgscript.")

    @Argument(help: ArgumentHelp("Words to look for.", valueName: "text"))
    var words: [String] = []

    @Option(
        name: [.customShort("n", allowingJoined: true), .long], within: 1...250,
        help: ArgumentHelp("The most packs.", valueName: "n"))
    var limit = 20

    @OptionGroup var registry: RegistryOptions
    @OptionGroup var options: RegistryEngineOptions

    func run() async throws {
        let context = try PackContext(options.engine, registry: registry)
        try await context.app.run {
            guard context.app.settings.cacheMode != .offline else {
                throw PackError(.refused, "the registry is not on this machine, and --offline lets nothing leave it")
            }
            let found = try await context.registry().search(words.joined(separator: " "), limit: limit)
            var table = ColumnTable(columns: [
                .init("Pack"), .init("Version"), .init("By"), .init("About", cutTo: 20),
            ])
            for pack in found {
                table.add([
                    TableCell(pack.name, .bold), TableCell(pack.version), TableCell(pack.publisher ?? "", .dim),
                    TableCell(pack.summary ?? ""),
                ])
            }
            if found.isEmpty { return context.app.status.note("no packs were found") }
            for line in table.lines(on: context.app.terminal) { try context.app.printLine(line) }
        }
    }
}
