import ArgumentParser
import ImgScript
import ProviderModel

struct ProvidersCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "providers", abstract: "List, inspect, check and create providers",
        subcommands: [
            ListProviders.self, ShowProvider.self, ProviderStatuses.self, CheckProviders.self, NewProvider.self,
            DevelopProvider.self,
            WriteTypes.self,
        ],
        defaultSubcommand: ListProviders.self)
}

struct ListProviders: EngineCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "List all providers")

    /// How the list is printed.
    enum Format: String, CaseIterable, ExpressibleByArgument {
        case table, markdown
    }

    @Option(help: "output format")
    var format = Format.table

    @OptionGroup var engine: EngineOptions

    func run(in context: AppContext) async throws {
        await context.refreshStatuses()
        let listings = await context.listProviders()
        let manifests = listings.compactMap { listing -> (ProviderListing, ProviderManifest)? in
            guard case .success(let manifest) = listing.manifest else { return nil }
            return (listing, manifest)
        }
        switch format {
        case .table: try context.print(table(of: manifests).lines(on: context.terminal))
        case .markdown: try context.print(SourcesTable(manifests.map(\.1)).lines)
        }
        try context.output.flush()
        try printProblems(of: listings, context)
    }

    private func table(of providers: [(ProviderListing, ProviderManifest)]) -> Table {
        var table = Table(columns: [
            .init("Name"), .init("Key"), .init("Operations", .cut(to: 16)), .init("Licence", .cut(to: 12)),
            .init("From", .cut(to: 12)), .init("Terms", .cut(to: 20)),
        ])
        for (listing, manifest) in providers {
            let operations = manifest.operations.map(\.operation).filter { $0 != .session }
            table.add([
                TableCell(listing.id.description, .bold, link: manifest.homepage),
                TableCell(manifest.keyNeed, .dim), TableCell(operations.map(\.rawValue).joined(separator: " ")),
                TableCell(manifest.terms.license ?? ""), TableCell(listing.from, .dim),
                TableCell(manifest.terms.url?.description ?? "", .dim, link: manifest.terms.url),
            ])
        }
        return table
    }

    private func printProblems(of listings: [ProviderListing], _ context: AppContext) throws {
        var failures = ProviderFailures(providerCount: listings.count)
        for listing in listings {
            if case .failure(let error) = listing.manifest { failures.add(error, context.status) }
            for shadowed in listing.shadowed {
                context.status.note("\(listing.id): using \(listing.path), not \(shadowed)")
            }
        }
        failures.printGroups(on: context.status)
        for listing in listings {
            // What cannot be loaded is an error above.
            guard let note = try? listing.manifest.get().deprecated else { continue }
            context.status.warning("\(listing.id): \(note)")
        }
        for listing in listings { if let broken = listing.broken { context.status.warning(broken, of: listing.id) } }
        for file in context.engine.misnamedFiles() {
            context.status.note("\(file) is not used: \(ProviderID.fileNaming)")
        }
        if listings.isEmpty {
            let folders = context.settings.providerFolders.joined(separator: ", ")
            context.status.error("no providers found in \(folders)", hint: "put NAME.js into one of these folders")
        }
        if !failures.errors.isEmpty || listings.isEmpty { throw ExitStatus.failure }
    }
}

extension ProviderListing {
    /// Its pack or its folder; empty for one that ships with the program.
    fileprivate var from: String {
        isShipped ? "" : pack ?? path.lastIndex(of: "/").map { String(path[..<$0]) } ?? ""
    }
}

extension ProviderManifest {
    /// Whether a key is needed, in one word.
    fileprivate var keyNeed: String { authentication.isEmpty ? "no" : needsKey ? "yes" : "optional" }
}

struct ShowProvider: EngineCommand {
    static let configuration = CommandConfiguration(
        commandName: "info", abstract: "Show a provider's parameters, limits and terms")

    @Argument(help: "provider", completion: .providers)
    var name: String

    @OptionGroup var engine: EngineOptions

    func run(in context: AppContext) async throws {
        try await context.engine.checkInstance(isTakenBy: [name])
        await context.refreshStatuses()
        let listing = try await context.engine.listing(of: name)
        let description = ManifestDescription(try listing.manifest.get(), server: engine.scripts.instance, listing)
        try context.print(description.lines(on: context.terminal))
    }
}
