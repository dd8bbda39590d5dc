import ArgumentParser
import Packs
import ProviderRuntime

struct PackList: AsyncParsableCommand {
    static let configuration = CommandConfiguration(commandName: "list", abstract: "List installed packs")

    @Flag(help: "list the permissions granted to each pack")
    var grants = false

    @OptionGroup var options: LocalEngineOptions

    func run() async throws {
        let context = try PackContext(options.engine)
        try await context.app.run {
            let terminal = context.app.terminal
            var table = Table(columns: [
                .init("Pack"), .init("Version"), .init("Providers", .cut(to: 16)), .init("Signed"), .init("Before"),
                .init("From", .cut(to: 20)), .init("Lockfile", .cut(to: 12)),
            ])
            var isEmpty = true
            for lockfile in context.lockfiles {
                for (name, pack) in try context.store.lockfile(at: lockfile).packs.sorted(by: { $0.key < $1.key }) {
                    isEmpty = false
                    let former = try context.store.former(of: name, in: lockfile)
                    table.add([
                        TableCell(name, .bold),
                        Self.version(of: pack, context.store.condition(of: pack, named: name)),
                        TableCell(Self.names(of: pack)),
                        pack.key.map { TableCell("\($0.prefix(10))…", .good) } ?? TableCell("no", .dim),
                        TableCell(former?.version ?? "", .dim), TableCell(pack.source, .dim), TableCell(lockfile, .dim),
                    ])
                }
            }
            if isEmpty {
                return context.app.status.note("no packs installed", hint: "imgscript pack install SOURCE installs one")
            }
            try context.printLines(table.lines(on: terminal))
            if grants { try printGrants(context) }
        }
    }

    private static func version(of pack: LockedPack, _ condition: PackStore.Condition) -> TableCell {
        switch condition {
        case .intact, .unknown: TableCell(pack.version)
        case .missing: TableCell("\(pack.version) (missing)", .bad)
        case .changed: TableCell("\(pack.version) (changed)", .bad)
        }
    }

    /// The providers' names, the first of them where there are many.
    private static func names(of pack: LockedPack) -> String {
        let names = pack.providers.keys.sorted()
        guard names.count > 6 else { return names.joined(separator: " ") }
        return names.prefix(4).joined(separator: " ") + " and \(names.count - 4) more"
    }

    private func printGrants(_ context: PackContext) throws {
        for lockfile in context.lockfiles {
            for (name, pack) in try context.store.lockfile(at: lockfile).packs.sorted(by: { $0.key < $1.key }) {
                try context.app.printLine("")
                let title = TableCell("\(name) \(pack.version)", .bold).rendered(on: context.app.terminal)
                try context.app.printLine(title)
                try context.printLines(PermissionTable(pack.providers).lines(on: context.app.terminal))
            }
        }
    }
}

struct PackOutdated: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "outdated", abstract: "List packs with newer versions",
        discussion: """
            "Wanted" is the version that `pack update` would install: the newest in the range that was installed. "Latest" \
            is the newest of all.
            """)

    @OptionGroup var registry: RegistryOptions
    @OptionGroup var lockfile: LockfileOptions
    @OptionGroup var options: RegistryEngineOptions

    func run() async throws {
        let context = try PackContext(options.engine, registry: registry, lockfile: lockfile)
        try await context.app.run {
            let packs = try context.store.lockfile(at: context.lockfile).packs.sorted { $0.key < $1.key }
            if packs.isEmpty { return context.app.status.note("no packs in \(context.lockfile)") }
            let sources = packs.map { pack in Result { try context.source(of: pack.value) } }
            let fetcher = try context.fetcher(for: sources.compactMap { try? $0.get() })  // others fail below
            var table = Table(columns: [
                .init("Pack"), .init("Installed"), .init("Wanted"), .init("Latest"), .init("From", .cut(to: 20)),
            ])
            var (count, hasFailed) = (0, false)
            for ((name, pack), source) in zip(packs, sources) {
                do {
                    let (wanted, latest) = try await fetcher.versions(
                        at: try source.get(), in: try context.temporaryWorkspace())
                    guard wanted != pack.version || latest != pack.version else { continue }
                    count += 1
                    table.add([
                        TableCell(name, .bold), TableCell(pack.version),
                        TableCell(wanted, wanted == pack.version ? .plain : .good), TableCell(latest),
                        TableCell(pack.source, .dim),
                    ])
                } catch let error as PackError {
                    context.app.status.error(error.about(name))
                    hasFailed = true
                }
            }
            if count > 0 { try context.printLines(table.lines(on: context.app.terminal)) }
            if hasFailed { throw ExitStatus.failure }
            if count == 0 { context.app.status.note("all packs are up to date") }
        }
    }
}

struct PackSearch: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "search", abstract: "Search a registry for packs: packages with the keyword imgscript")

    @Argument(help: ArgumentHelp("words to search for", valueName: "text"), completion: .nothing)
    var words: [String] = []

    @Option(
        name: [.customShort("n", allowingJoined: true), .long], within: 1...250,
        help: ArgumentHelp("maximum number of packs", valueName: "n"))
    var limit = 20

    @OptionGroup var registry: RegistryOptions
    @OptionGroup var options: RegistryEngineOptions

    func run() async throws {
        let context = try PackContext(options.engine, registry: registry)
        try await context.app.run {
            guard context.app.settings.cacheMode != .offline else {
                throw PackError(.refused, "could not search the registry: --offline allows no requests")
            }
            let found = try await context.registry().search(words.joined(separator: " "), limit: limit)
            var table = Table(columns: [
                .init("Pack"), .init("Version"), .init("By"), .init("About", .cut(to: 20)),
            ])
            for pack in found {
                table.add([
                    TableCell(pack.name, .bold), TableCell(pack.version), TableCell(pack.publisher ?? "", .dim),
                    TableCell(pack.summary ?? ""),
                ])
            }
            if found.isEmpty { return context.app.status.note("no packs found") }
            try context.printLines(table.lines(on: context.app.terminal))
        }
    }
}
