import ArgumentParser
import Packs

struct PackCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "pack", abstract: "Build, share and install packs of providers",
        discussion: """
            A pack is an npm package with provider files in it, to be shared as a .tgz, in git or in any npm registry.
              imgscript pack init boards && imgscript pack build boards
              imgscript pack install ./anna-boards-1.0.0.tgz
            """,
        subcommands: [
            PackInit.self, PackBuildCommand.self, PackKeygen.self, PackSign.self, PackVerify.self, PackInspect.self,
            PackInstall.self, PackList.self, PackOutdated.self, PackUpdate.self, PackRollback.self, PackRemove.self,
            PackSearch.self, PackIndexes.self, PackIndexCommand.self, PackRunTests.self,
        ])
}

/// The choice of the registry.
struct RegistryOptions: ParsableArguments {
    @Option(help: ArgumentHelp("registry to use instead of that in .npmrc", valueName: "url"))
    var registry: String?
}

/// The choice of the lockfile.
struct LockfileOptions: ParsableArguments {
    @Flag(help: "use your own lockfile, even in a project that has one")
    var user = false
}

/// The changes that the user accepts beforehand.
struct ConsentOptions: ParsableArguments {
    @Flag(name: .shortAndLong, help: "confirm without asking")
    var yes = false

    @Option(help: ArgumentHelp("allow a change that is refused by default", valueName: "change"))
    var accept: [Acceptance] = []

    @Option(
        help: ArgumentHelp("require a signature of this minisign key: RW… or a .pub file", valueName: "key"),
        completion: .file(extensions: ["pub"]))
    var key: String?
}

extension Acceptance: OptionChoice {}
