import ArgumentParser
import Packs
import ProviderRuntime

struct PackOutdated: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "outdated", abstract: "Lists the packs of which there are newer versions, and changes nothing.",
        discussion: """
            “Wanted” is what `pack update` would install: the newest version in the range that the pack was asked for by. \
            “Latest” is the newest there is.
            """)

    @OptionGroup var registry: RegistryOptions
    @OptionGroup var lockfile: LockfileOptions
    @OptionGroup var options: RegistryEngineOptions

    func run() async throws {
        let context = try PackContext(options.engine, registry: registry, lockfile: lockfile)
        try await context.app.run {
            let packs = try context.store.lock(at: context.lockfile).packs.sorted { $0.key < $1.key }
            if packs.isEmpty { return context.app.status.note("there are no packs in \(context.lockfile)") }
            let fetcher = try context.fetcher(for: packs.map { $0.value.source })
            var table = ColumnTable(columns: [
                .init("Pack"), .init("Installed"), .init("Wanted"), .init("Latest"), .init("From", cutTo: 20),
            ])
            var (count, isFailed) = (0, false)
            for (name, pack) in packs {
                do {
                    let source = try context.source(pack.source)
                    let (wanted, latest) = try await fetcher.versions(at: source, in: try context.bench())
                    guard wanted != pack.version || latest != pack.version else { continue }
                    count += 1
                    table.add([
                        TableCell(name, .bold), TableCell(pack.version),
                        TableCell(wanted, wanted == pack.version ? .plain : .good), TableCell(latest),
                        TableCell(pack.source, .dim),
                    ])
                } catch let error as PackError {
                    context.app.status.error(error.about(name))
                    isFailed = true
                }
            }
            if count > 0 { for line in table.lines(on: context.app.terminal) { try context.app.printLine(line) } }
            if isFailed { throw ExitStatus.failure }
            if count == 0 { context.app.status.note("there is nothing newer where the packs came from") }
        }
    }
}
