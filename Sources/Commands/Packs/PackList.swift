import ArgumentParser
import Packs
import ProviderRuntime

struct PackList: AsyncParsableCommand {
    static let configuration = CommandConfiguration(commandName: "list", abstract: "Lists the installed packs.")

    @Flag(help: "Show what each pack was granted.")
    var grants = false

    @OptionGroup var options: LocalEngineOptions

    func run() async throws {
        let context = try PackContext(options.engine)
        try await context.app.run {
            let terminal = context.app.terminal
            var table = ColumnTable(columns: [
                .init("Pack"), .init("Version"), .init("Providers", cutTo: 16), .init("Signed"), .init("Before"),
                .init("From", cutTo: 20), .init("Lockfile", cutTo: 12),
            ])
            var isEmpty = true
            for lockfile in context.lockfiles {
                for (name, pack) in try context.store.lock(at: lockfile).packs.sorted(by: { $0.key < $1.key }) {
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
                return context.app.status.note("no packs are installed; imgscript pack install SOURCE installs one")
            }
            for line in table.lines(on: terminal) { try context.app.printLine(line) }
            if grants { try printGrants(context) }
        }
    }

    private static func version(of pack: LockedPack, _ condition: PackCondition) -> TableCell {
        switch condition {
        case .whole, .unknown: TableCell(pack.version)
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
            for (name, pack) in try context.store.lock(at: lockfile).packs.sorted(by: { $0.key < $1.key }) {
                try context.app.printLine("")
                let title = TableCell("\(name) \(pack.version)", .bold).rendered(on: context.app.terminal)
                try context.app.printLine(title)
                for line in GrantTable(pack.providers).lines(on: context.app.terminal) {
                    try context.app.printLine(line)
                }
            }
        }
    }
}
