import ArgumentParser
import Packs
import ProviderModel

struct PackIndexes: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "indexes", abstract: "List, trust and remove indexes of packs",
        discussion: """
            An index lists packs with their providers, hosts and permissions, signed by whoever makes it. Its key is trusted \
            once, when it is added; a later index with another key is refused.
              imgscript pack indexes add anna https://anna.example/packs/index.json
              imgscript pack search fox-boards
              imgscript pack add anna:@anna/boards
            """,
        subcommands: [ListIndexes.self, AddIndex.self, RemoveIndex.self, RefreshIndexes.self],
        defaultSubcommand: ListIndexes.self)
}

struct ListIndexes: AsyncParsableCommand {
    static let configuration = CommandConfiguration(commandName: "list", abstract: "List the trusted indexes")

    @OptionGroup var options: LocalEngineOptions

    func run() async throws {
        let context = try PackContext(options.engine)
        try await context.app.run {
            let store = context.known.store
            var table = Table(columns: [
                .init("Index"), .init("Packs", alignment: .right), .init("Of"), .init("Key"), .init("URL"),
            ])
            for index in store.trusted.all {
                let content = store.stored(index)?.content
                table.add([
                    TableCell(index.name, .bold), TableCell(content.map { "\($0.packs.count)" } ?? ""),
                    TableCell(content.map { String($0.made.prefix(10)) } ?? "not fetched", .dim),
                    TableCell("\(index.key.prefix(12))…", .good), TableCell(index.url),
                ])
            }
            if store.trusted.all.isEmpty {
                return context.app.status.note("no indexes", hint: "imgscript pack indexes add NAME URL adds one")
            }
            try context.printLines(table.lines(on: context.app.terminal))
        }
    }
}

struct AddIndex: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "add", abstract: "Trust an index, after showing its key")

    @Argument(help: ArgumentHelp("name for its packs, such as anna", valueName: "name"), completion: .nothing)
    var name: String

    @Argument(help: ArgumentHelp("URL of its index.json", valueName: "url"), completion: .nothing)
    var url: String

    @Option(
        help: ArgumentHelp("key that it has to be signed with: RW… or a .pub file", valueName: "key"),
        completion: .file(extensions: ["pub"]))
    var key: String?

    @Flag(name: .shortAndLong, help: "confirm without asking")
    var yes = false

    @OptionGroup var options: RegistryEngineOptions

    func run() async throws {
        let context = try PackContext(options.engine)
        try await context.app.run {
            guard context.app.settings.cacheMode != .offline else {
                throw PackError(.refused, "could not fetch the index: --offline allows no requests")
            }
            let status = context.app.status
            let address = try TrustedIndex.address(url)
            let (content, stated) = try await IndexStore.preview(address, over: try context.network())
            let named = try context.key(key)
            if let named, named != stated {
                throw PackError(
                    .signature, "wrong key: the index is signed with \(stated) (expected \(named))", subject: url,
                    hint: "do not use it, unless its owner has told you of the key")
            }
            let index = try TrustedIndex(name: name, url: address, key: stated)
            var trusted = context.known.store.trusted
            if named == nil, let known = trusted.all.first(where: { $0.name == name }), known.key != index.key {
                throw PackError(
                    .signature,
                    "the index \(name) is known with another key: \(known.key) (found \(index.key))", subject: url,
                    hint: .trustIndexKey(name: name, url: url))
            }
            try describe(content, stated, context)
            try context.app.output.flush()
            if case .dryRun = context.app.settings.answers { return status.note("nothing was changed: --dry-run") }
            try Confirmation.ask("Trust this key for \(name)?", isGiven: yes || named != nil, status)
            try trusted.add(index)
            _ = try await KnownPacks(context.app.settings).store.refresh(index, over: try context.network())
            status.note("added the index \(name)")
            if let pack = content.packs.keys.min() { status.note("try: imgscript pack add \(name):\(pack)") }
        }
    }

    private func describe(_ content: PackIndex, _ key: PublicKey, _ context: PackContext) throws {
        var table = Table()
        table.add("Index", TableCell(url, .bold))
        table.add("Written", TableCell(content.made))
        table.add(
            "Packs", TableCell("\(content.packs.count)"),
            TableCell(content.packs.keys.sorted().prefix(4).joined(separator: ", "), .dim))
        table.add("Key", TableCell(key.description, .bold))
        try context.printLines(table.lines(on: context.app.terminal))
        for fault in content.faults { context.app.status.warning("left out: \(fault)") }
    }
}

struct RemoveIndex: AsyncParsableCommand {
    static let configuration = CommandConfiguration(commandName: "remove", abstract: "Remove an index")

    @Argument(help: ArgumentHelp("name of the index", valueName: "name"), completion: .nothing)
    var name: String

    @OptionGroup var options: LocalEngineOptions

    func run() async throws {
        let context = try PackContext(options.engine)
        try await context.app.run {
            var trusted = context.known.store.trusted
            let index = try trusted.index(named: name)
            try trusted.remove(name)
            try KnownPacks(context.app.settings).store.remove(index)
            context.app.status.note("removed the index \(name)")
        }
    }
}

struct RefreshIndexes: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "refresh", abstract: "Fetch all indexes now",
        discussion: "They are fetched when they are searched, too.")

    @OptionGroup var options: RegistryEngineOptions

    func run() async throws {
        let context = try PackContext(options.engine)
        try await context.app.run {
            guard context.app.settings.cacheMode != .offline else {
                throw PackError(.refused, "could not fetch indexes: --offline allows no requests")
            }
            var hasFailed = false
            let store = context.known.store
            for index in store.trusted.all {
                do {
                    let content = try await store.refresh(index, over: try context.network()).content
                    context.app.status.note(
                        "\(index.name): \(PackContext.count(content.packs.count)), of \(content.made)")
                    for fault in content.faults { context.app.status.warning("\(index.name): left out: \(fault)") }
                } catch let error as PackError {
                    context.app.status.error(error)
                    hasFailed = true
                }
            }
            if hasFailed { throw ExitStatus.failure }
        }
    }
}
