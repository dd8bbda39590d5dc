import ArgumentParser
import Packs

struct PackRollback: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "rollback", abstract: "Goes back to the version that was used before, with what it was granted.")

    @Argument(help: ArgumentHelp("The pack.", valueName: "name"))
    var name: String

    @OptionGroup var lockfile: LockfileOptions
    @OptionGroup var engine: EngineOptions

    func run() async throws {
        let context = try PackContext(engine, lockfile: lockfile)
        try await context.app.run {
            let lock = try context.store.lock(at: context.lockfile)
            guard let current = lock.packs[name] else { throw PackError.notInstalled(name, lock, context.lockfile) }
            guard let former = try context.store.former(of: name, in: context.lockfile) else {
                throw PackError(
                    .notInstalled, "there is no version of \(name) before \(current.version) to go back to",
                    advice: "imgscript pack install installs any version")
            }
            try context.store.use(former, named: name, content: nil, inPlaceOf: current, in: context.lockfile)
            context.app.status.note("\(name) is \(former.version) again, in place of \(current.version)")
        }
    }
}
