import ArgumentParser
import Packs
import ProviderModel

struct PackSearch: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "search", abstract: "Search indexes and a registry for packs",
        discussion: """
            Indexes are searched by the names of providers, their hosts, keywords and other text; a registry for packages with \
            the keyword imgscript. Every word has to match.
            """)

    @Argument(help: ArgumentHelp("words to search for", valueName: "text"), completion: .nothing)
    var words: [String] = []

    @Option(
        name: [.customShort("n", allowingJoined: true), .long], within: 1...250,
        help: ArgumentHelp("maximum number of packs", valueName: "n"))
    var limit = 20

    @Option(help: ArgumentHelp("search this index alone", valueName: "name"), completion: .nothing)
    var index: String?

    @OptionGroup var registry: RegistryOptions
    @OptionGroup var options: RegistryEngineOptions

    func validate() throws {
        if index != nil, registry.registry != nil { throw ValidationError.exclusive(["--index", "--registry"]) }
    }

    func run() async throws {
        let context = try PackContext(options.engine, registry: registry)
        try await context.app.run {
            let isOffline = context.app.settings.cacheMode == .offline
            let store = context.known.store
            if let index { _ = try store.trusted.index(named: index) }
            let hasIndexes = registry.registry == nil && !store.trusted.all.isEmpty
            guard !isOffline || hasIndexes else {
                throw PackError(.refused, "could not search the registry: --offline allows no requests")
            }
            if hasIndexes, !isOffline { try await store.refreshAll(over: try context.network(), context.app.status) }
            var rows: [[TableCell]] = hasIndexes ? inIndexes(store).map(Self.row) : []
            if index == nil, !isOffline { rows += try await inRegistry(context, besides: hasIndexes) }
            if rows.isEmpty { return context.app.status.note("no packs found") }
            var table = Table(columns: [
                .init("Pack"), .init("Version"), .init("Providers", .cut(to: 24)), .init("By"),
                .init("About", .cut(to: 20)),
            ])
            for row in rows.prefix(limit) { table.add(row) }
            try context.printLines(table.lines(on: context.app.terminal))
        }
    }

    private func inIndexes(_ store: IndexStore) -> [IndexStore.Found] {
        store.search(words.flatMap { $0.split(separator: " ").map(String.init) })
            .filter { found in index.map { $0 == found.index.name } ?? true }
    }

    private static func row(_ found: IndexStore.Found) -> [TableCell] {
        let isDeprecated = found.entry.deprecated != nil
        let shown = found.providers.prefix(5).joined(separator: " ")
        let more = found.providers.count - 5
        return [
            TableCell(found.source, .bold),
            TableCell("\(found.version)\(isDeprecated ? " (deprecated)" : "")", isDeprecated ? .warning : .plain),
            TableCell(shown + (more > 0 ? " and \(more) more" : "")), TableCell(""),
            TableCell(found.pack.description ?? ""),
        ]
    }

    /// A registry that cannot be reached is no failure where indexes were searched.
    private func inRegistry(_ context: PackContext, besides hasIndexes: Bool) async throws -> [[TableCell]] {
        do {
            return try await context.registry().search(words.joined(separator: " "), limit: limit).map { pack in
                [
                    TableCell(pack.name, .bold), TableCell(pack.version), TableCell(""),
                    TableCell(pack.publisher ?? "", .dim), TableCell(pack.summary ?? ""),
                ]
            }
        } catch let error as PackError where hasIndexes {
            context.app.status.warning("could not search the registry: \(error.message)")
            return []
        }
    }
}
