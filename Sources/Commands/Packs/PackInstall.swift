import ArgumentParser
import ImgScript
import Packs
import ProviderRuntime

struct PackInstall: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "install", abstract: "Installs packs, after showing what they ask for.",
        discussion: """
            A pack is a folder (./boards), a .tgz file, an https address of one, a git address \
            (git+https://host/boards.git#v1.2.0, github:anna/boards) or a registry's name (@anna/boards, \
            @anna/boards@^1.2). Without any, everything in the lockfile is installed, and what was changed is put right.
            """)

    @Argument(help: ArgumentHelp("Where the pack is.", valueName: "source"))
    var sources: [String] = []

    @Flag(help: "Install exactly what the lockfile says, or fail; the lockfile stays as it is.")
    var frozen = false

    @OptionGroup var consent: ConsentOptions
    @OptionGroup var registry: RegistryOptions
    @OptionGroup var lockfile: LockfileOptions
    @OptionGroup var options: PackEngineOptions

    func validate() throws {
        guard !frozen || sources.isEmpty else {
            throw ValidationError("--frozen installs what the lockfile names, and takes no other source.")
        }
    }

    func run() async throws {
        let context = try PackContext(options.engine, registry: registry, lockfile: lockfile)
        try await context.app.run {
            guard !sources.isEmpty else { return try await restore(context) }
            let installer = try context.installer(for: sources)
            try await InstallRun(context: context, installer: installer, consent: consent)
                .install(sources.map { InstallRun.Wanted(source: $0) })
        }
    }

    /// Brings everything here that the lockfile names.
    private func restore(_ context: PackContext) async throws {
        let status = context.app.status
        guard let lock = try PackLock(path: context.lockfile) else {
            throw PackError(
                .lockfile, "there is no \(context.lockfile)",
                hint: "name a pack to install, or copy the lockfile of another machine there")
        }
        let missing = lock.packs.sorted { $0.key < $1.key }.filter { name, pack in
            context.store.condition(of: pack, named: name) != .whole
        }
        if missing.isEmpty {
            return status.note(
                "all of \(context.lockfile) is installed, every file as it should be: "
                    + PackContext.count(lock.packs.count))
        }
        for (name, pack) in missing {
            let terminal = context.app.terminal
            try context.app.printLine(TableCell("\(name) \(pack.version)", .bold).rendered(on: terminal))
            for line in GrantTable(pack.providers).lines(on: terminal) { try context.app.printLine(line) }
        }
        try context.app.output.flush()
        try Confirmation.ask(
            "Install \(PackContext.count(missing.count)) of \(context.lockfile)?", isGiven: consent.yes, status)
        let installer = try context.installer(for: missing.map { $0.value.resolved ?? $0.value.source })
        for (name, pack) in missing {
            if context.store.archive(of: pack, named: name) == nil {
                _ = try context.source(pack.resolved ?? pack.source)
            }
            try await installer.restore(pack, named: name)
            status.note("installed \(name) \(pack.version)")
        }
    }
}
