import ArgumentParser
import Packs

struct PackRemove: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "remove", abstract: "Takes packs away.", aliases: ["uninstall"])

    @Argument(help: ArgumentHelp("The packs.", valueName: "name"))
    var names: [String]

    @OptionGroup var lockfile: LockfileOptions
    @OptionGroup var options: LocalEngineOptions

    func run() async throws {
        let context = try PackContext(options.engine, lockfile: lockfile)
        try await context.app.run {
            for name in names {
                let pack = try context.store.remove(name, from: context.lockfile)
                context.app.status.note("removed \(name) \(pack.version)")
            }
        }
    }
}
