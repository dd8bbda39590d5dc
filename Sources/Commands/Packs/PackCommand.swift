import ArgumentParser
import Packs

struct PackCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "pack", abstract: "Builds, shares and installs packs of providers.",
        discussion: """
            A pack is an npm package with provider files in it, to be shared as a .tgz, in git or in any npm registry.
              imgscript pack init boards && imgscript pack build boards
              imgscript pack install ./anna-boards-1.0.0.tgz
            """,
        subcommands: [
            PackInit.self, PackBuildCommand.self, PackKeygen.self, PackSign.self, PackVerify.self, PackInspect.self,
            PackInstall.self, PackList.self, PackOutdated.self, PackUpdate.self, PackRollback.self, PackRemove.self,
            PackSearch.self, PackRunTests.self,
        ])
}

/// Where packs are looked up by name.
struct RegistryOptions: ParsableArguments {
    @Option(help: ArgumentHelp("The registry to use instead of that of .npmrc.", valueName: "url"))
    var registry: String?
}

/// Which lockfile is meant.
struct LockfileOptions: ParsableArguments {
    @Flag(help: "Use your own lockfile, also in a project that has one.")
    var user = false
}

/// What the user agrees to beforehand.
struct ConsentOptions: ParsableArguments {
    @Flag(name: .shortAndLong, help: "Install without asking.")
    var yes = false

    @Option(
        help: ArgumentHelp(
            "Allow a change that is refused by default: key, unsigned, downgrade, hosts, content or tests.",
            valueName: "change"))
    var accept: [Acceptance] = []

    @Option(help: ArgumentHelp("The minisign key it has to be signed with: RW…, or a .pub file.", valueName: "key"))
    var key: String?
}

extension Acceptance: OptionChoice {}
