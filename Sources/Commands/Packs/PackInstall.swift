import ArgumentParser
import ImgScript
import Packs
import ProviderRuntime

struct PackInstall: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "install", abstract: "Install packs, after showing the permissions they ask for",
        discussion: """
            A pack is a folder (./boards), a .tgz file, an https address of one, a git address \
            (git+https://host/boards.git#v1.2.0, github:anna/boards), a registry's name (@anna/boards, \
            @anna/boards@^1.2) or a name in an index (INDEX:@anna/boards). Without a source, everything in the lockfile \
            is installed, and changed files repaired.
            """, aliases: ["add"])

    @Argument(help: ArgumentHelp("source of the pack", valueName: "source"), completion: .file(extensions: ["tgz"]))
    var sources: [String] = []

    @Flag(help: "install exactly the versions of the lockfile, without changing it, or fail")
    var frozen = false

    @OptionGroup var consent: ConsentOptions
    @OptionGroup var registry: RegistryOptions
    @OptionGroup var lockfile: LockfileOptions
    @OptionGroup var options: PackEngineOptions

    func validate() throws {
        guard !frozen || sources.isEmpty else {
            throw ValidationError("--frozen: unexpected sources (expected none: the lockfile has them)")
        }
    }

    func run() async throws {
        let context = try PackContext(options.engine, registry: registry, lockfile: lockfile)
        try await context.app.run {
            guard !sources.isEmpty else { return try await restore(context) }
            try await InstallRun(context: context, consent: consent).install(
                sources.map { text in .init(source: Result { try context.source(text) }) })
        }
    }

    /// Installs everything that the lockfile names.
    private func restore(_ context: PackContext) async throws {
        let status = context.app.status
        guard let lock = try Lockfile(path: context.lockfile) else {
            throw PackError(
                .lockfile, "no such file: \(context.lockfile)",
                hint: "imgscript pack install SOURCE installs a pack and creates the file")
        }
        let missing = lock.packs.sorted { $0.key < $1.key }.filter { name, pack in
            context.store.condition(of: pack, named: name) != .intact
        }
        if missing.isEmpty {
            return status.note("\(PackContext.count(lock.packs.count)) of \(context.lockfile) installed and unchanged")
        }
        for (name, pack) in missing {
            try context.app.printLine(TableCell("\(name) \(pack.version)", .bold).rendered(on: context.app.terminal))
            try context.printLines(PermissionTable(pack.providers).lines(on: context.app.terminal))
        }
        try context.app.output.flush()
        try Confirmation.ask(
            "Install \(PackContext.count(missing.count)) of \(context.lockfile)?", isGiven: consent.yes, status)
        // What is stored on this machine is not fetched; a source that cannot be read fails when its pack is restored.
        let remote = missing.filter { context.store.archive(of: $0.value, named: $0.key) == nil }
        let sources = try remote.map { try context.source($0.value.resolved ?? $0.value.source) }
        let installer = try context.installer(for: sources)
        for (name, pack) in missing {
            try await installer.restore(pack, named: name)
            status.note("installed \(name) \(pack.version)")
        }
    }
}

struct PackUpdate: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "update", abstract: "Update packs from their sources, after showing what changes",
        discussion: """
            A new version has to pass its own tests in the sandbox. Another key, a missing signature, a lower version \
            and more hosts are refused unless --accept allows them. The previous version is kept for `pack rollback`; \
            `pack outdated` changes nothing. The sources that ship with imgscript are the pack `core`, which is updated \
            from an index; the shipped copy is used until then.
            """)

    @Argument(help: ArgumentHelp("packs to update (default: all)", valueName: "name"), completion: .packs)
    var names: [String] = []

    @Flag(help: "update all packs (the default)")
    var all = false

    @OptionGroup var consent: ConsentOptions
    @OptionGroup var registry: RegistryOptions
    @OptionGroup var lockfile: LockfileOptions
    @OptionGroup var options: PackEngineOptions

    func validate() throws {
        guard !all || names.isEmpty else { throw ValidationError("--all: unexpected names (expected none)") }
    }

    func run() async throws {
        let context = try PackContext(options.engine, registry: registry, lockfile: lockfile)
        try await context.app.run {
            let lock = try context.store.lockfile(at: context.lockfile)
            let names = names.map(PackContext.name)
            let wanted = (names.isEmpty ? lock.packs.keys.sorted() : names).filter { $0 != CorePack.name }
            let requests = try wanted.map { name in
                guard let pack = lock.packs[name] else { throw PackError.notInstalled(name, lock, context.lockfile) }
                return InstallRun.Request(name: name, source: Result { try context.source(of: pack) })
            }
            let core = names.isEmpty || names.contains(CorePack.name) ? try await coreRequest(context) : nil
            if core == nil, names.contains(CorePack.name) {
                throw PackError(
                    .index, "no index has \(CorePack.name)", hint: .addIndex(TrustedIndex.builtInName))
            }
            if requests.isEmpty, core == nil { return context.app.status.note("no packs in \(context.lockfile)") }
            var hasFailed = false
            // The pack of the program belongs to the user, whatever project this is.
            for (context, requests) in [(context.ofUser, core.map { [$0] } ?? []), (context, requests)]
            where !requests.isEmpty {
                do {
                    try await InstallRun(context: context, consent: consent).install(requests)
                } catch let error as PackError where core != nil && !wanted.isEmpty {
                    context.app.status.error(error)
                    hasFailed = true
                } catch ExitStatus.failure {
                    hasFailed = true
                }
            }
            if hasFailed { throw ExitStatus.failure }
        }
    }

    /// The core pack of the index that has it; nil where none does.
    private func coreRequest(_ context: PackContext) async throws -> InstallRun.Request? {
        try await context.coreSource().map { text in
            .init(name: CorePack.name, source: Result { try context.source(text) })
        }
    }
}

struct PackRollback: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "rollback", abstract: "Go back to the version used before, with its permissions")

    @Argument(help: ArgumentHelp("name of the pack", valueName: "name"), completion: .packs)
    var name: String

    @OptionGroup var lockfile: LockfileOptions
    @OptionGroup var options: LocalEngineOptions

    func run() async throws {
        let context = try PackContext(options.engine, lockfile: lockfile)
        try await context.app.run {
            let name = PackContext.name(name)
            let own = name == CorePack.name ? context.ofUser : context
            let (former, current) = try own.installer(for: []).rollBack(name)
            let isForward = SemanticVersion(former).flatMap { to in SemanticVersion(current).map { to > $0 } } ?? false
            context.app.status.note("went \(isForward ? "forward" : "back") to \(name) \(former), from \(current)")
        }
    }
}

struct PackRemove: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "remove", abstract: "Remove packs", aliases: ["uninstall"])

    @Argument(help: ArgumentHelp("names of the packs", valueName: "name"), completion: .packs)
    var names: [String]

    @OptionGroup var lockfile: LockfileOptions
    @OptionGroup var options: LocalEngineOptions

    func run() async throws {
        let context = try PackContext(options.engine, lockfile: lockfile)
        try await context.app.run {
            for name in names.map(PackContext.name) {
                let lockfile = name == CorePack.name ? context.ofUser.lockfile : context.lockfile
                let pack = try context.store.remove(name, from: lockfile)
                context.app.status.note("removed \(name) \(pack.version)")
            }
        }
    }
}
