import ArgumentParser
import Packs

/// Where packs are looked for by name.
struct RegistryOptions: ParsableArguments {
    @Option(help: ArgumentHelp("The registry to ask, in place of that of .npmrc.", valueName: "url"))
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
            "Accept what is refused else: key, unsigned, downgrade, hosts, content or tests.", valueName: "what"))
    var accept: [Acceptance] = []

    @Option(help: ArgumentHelp("The minisign key it has to be signed with: RW…, or a .pub file.", valueName: "key"))
    var key: String?
}

extension Acceptance: OptionChoice {}
