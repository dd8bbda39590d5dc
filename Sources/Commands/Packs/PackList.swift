import ArgumentParser
import Packs
import ProviderModel
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
            is the newest of all. A note says what the registry or index has against the installed version.
            """)

    @OptionGroup var registry: RegistryOptions
    @OptionGroup var lockfile: LockfileOptions
    @OptionGroup var options: RegistryEngineOptions

    func run() async throws {
        let context = try PackContext(options.engine, registry: registry, lockfile: lockfile)
        try await context.app.run {
            let rows = try await rows(context)
            let fetcher = try context.fetcher(for: rows.compactMap { try? $0.source.get() })  // others fail below
            var table = Table(columns: [
                .init("Pack"), .init("Installed"), .init("Wanted"), .init("Latest"), .init("From", .cut(to: 20)),
                .init("Note", .cut(to: 20)),
            ])
            var (count, hasFailed) = (0, false)
            for row in rows {
                do {
                    let available = try await fetcher.versions(
                        at: try row.source.get(), installed: row.version, in: try context.temporaryWorkspace())
                    guard available.isWorthTelling(of: row.version, row.isShipped) else { continue }
                    count += 1
                    table.add(row.cells(available))
                } catch let error as PackError {
                    context.app.status.error(error.about(row.name))
                    hasFailed = true
                }
            }
            if count > 0 { try context.printLines(table.lines(on: context.app.terminal)) }
            if hasFailed { throw ExitStatus.failure }
            if count > 0 { return }
            context.app.status.note(rows.isEmpty ? "no packs in \(context.lockfile)" : "all packs are up to date")
        }
    }

    /// A pack in use.
    private struct Row {
        let name: String
        let version: String
        let isShipped: Bool
        let source: Result<PackSource, any Error>
        let from: String

        func cells(_ available: AvailableVersions) -> [TableCell] {
            [
                TableCell(name, .bold), TableCell(version + (isShipped ? " (shipped)" : "")),
                TableCell(available.wanted, available.wanted == version ? .plain : .good),
                TableCell(available.latest), TableCell(from, .dim), TableCell(available.remark ?? "", .warning),
            ]
        }
    }

    /// The packs of the lockfile, and the core pack, wherever it is.
    private func rows(_ context: PackContext) async throws -> [Row] {
        let packs = try context.store.lockfile(at: context.lockfile).packs.filter { $0.key != CorePack.name }
        let own = try context.store.lockfile(at: context.ofUser.lockfile)
        var rows: [Row] = []
        if let core = context.known.core(own), let source = try await context.coreSource() {
            rows.append(
                Row(
                    name: CorePack.name, version: core.version, isShipped: core.isShipped,
                    source: Result { try context.source(source) }, from: source))
        }
        return rows
            + packs.sorted { $0.key < $1.key }.map { name, pack in
                Row(
                    name: name, version: pack.version, isShipped: false,
                    source: Result { try context.source(of: pack) }, from: pack.source)
            }
    }
}

extension AvailableVersions {
    /// Whether there is another version than the one in use, or something against it; a shipped one may be ahead of an index.
    fileprivate func isWorthTelling(of version: String, _ isShipped: Bool) -> Bool {
        if remark != nil { return true }
        if isShipped, let own = SemanticVersion(version), let other = SemanticVersion(wanted) { return other > own }
        return wanted != version || latest != version
    }
}
