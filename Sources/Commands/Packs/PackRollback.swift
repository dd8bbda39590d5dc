import ArgumentParser
import Packs

struct PackRollback: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "rollback", abstract: "Goes back to the version that was used before, with what it was granted.")

    @Argument(help: ArgumentHelp("The pack.", valueName: "name"))
    var name: String

    @OptionGroup var lockfile: LockfileOptions
    @OptionGroup var options: LocalEngineOptions

    func run() async throws {
        let context = try PackContext(options.engine, lockfile: lockfile)
        try await context.app.run {
            let (former, current) = try context.installer(for: []).rollBack(name)
            context.app.status.note("\(name) is \(former.version) again, in place of \(current.version)")
        }
    }
}
