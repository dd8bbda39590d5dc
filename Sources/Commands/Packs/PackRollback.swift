import ArgumentParser
import Packs

struct PackRollback: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "rollback", abstract: "Goes back to the version that was used before, with what it was granted.")

    @Argument(help: ArgumentHelp("The pack.", valueName: "name"))
    var name: String

    @OptionGroup var lockfile: LockfileOptions
    @OptionGroup(visibility: .hidden) var engine: EngineOptions

    func run() async throws {
        let context = try PackContext(engine, lockfile: lockfile)
        try await context.app.run {
            let (former, current) = try context.installer(for: []).rollBack(name)
            context.app.status.note("\(name) is \(former.version) again, in place of \(current.version)")
        }
    }
}
