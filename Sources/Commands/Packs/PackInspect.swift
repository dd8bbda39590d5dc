import ArgumentParser
import Packs

struct PackInspect: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "inspect", abstract: "Shows what a pack is and asks for, and installs nothing.")

    @Argument(help: ArgumentHelp("Where the pack is: as for install.", valueName: "source"))
    var source: String

    @Flag(help: "List its files too.")
    var files = false

    @Option(help: ArgumentHelp("The minisign key it has to be signed with: RW…, or a .pub file.", valueName: "key"))
    var key: String?

    @OptionGroup var registry: RegistryOptions
    @OptionGroup var options: PackEngineOptions

    func run() async throws {
        let context = try PackContext(options.engine, registry: registry)
        try await context.app.run {
            let candidate = try await context.installer(for: [source]).candidate(
                from: try context.source(source), key: try context.key(key), in: try context.bench())
            for line in PackDescription(candidate).lines(on: context.app.terminal) { try context.app.printLine(line) }
            if files {
                var table = ColumnTable(columns: [.init("File"), .init("Size", alignment: .right)])
                for file in candidate.files { table.add([TableCell(file.path), TableCell(file.size.inBytes, .dim)]) }
                try context.app.printLine("")
                for line in table.lines(on: context.app.terminal) { try context.app.printLine(line) }
            }
            try context.app.output.flush()
            for remark in candidate.remarks { context.app.status.warning(remark) }
        }
    }
}
