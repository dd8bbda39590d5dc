import ArgumentParser
import ImgScript
import ProviderModel

struct ListProviders: EngineCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "Lists the providers that can be found.")

    @OptionGroup var engine: EngineOptions

    func run(in context: AppContext) async throws {
        var table = ColumnTable(columns: [
            .init("Name"), .init("Key"), .init("Operations", cutTo: 16), .init("Licence", cutTo: 12),
            .init("From", cutTo: 12), .init("Terms", cutTo: 20),
        ])
        let listings = await context.engine.listProviders()
        for case (let listing, .success(let manifest)) in listings.map({ ($0, $0.manifest) }) {
            let operations = manifest.operations.map(\.operation).filter { $0 != .session }
            table.add([
                TableCell(listing.id.description, .bold, link: manifest.homepage),
                TableCell(manifest.keyNeed, .dim), TableCell(operations.map(\.rawValue).joined(separator: " ")),
                TableCell(manifest.terms.license ?? ""), TableCell(listing.from, .dim),
                TableCell(manifest.terms.url?.description ?? "", .dim, link: manifest.terms.url),
            ])
        }
        try context.print(table.lines(on: context.terminal))
        try context.output.flush()
        try tellTroubles(of: listings, context)
    }

    private func tellTroubles(of listings: [ProviderListing], _ context: AppContext) throws {
        var hasFailure = false
        for listing in listings {
            if case .failure(let error) = listing.manifest {
                hasFailure = true
                context.status.error(error)
            }
            for hidden in listing.hidden {
                context.status.note("\(listing.id): \(listing.path) is used, \(hidden) is not")
            }
        }
        for file in context.engine.misnamedFiles() {
            context.status.note("\(file) is not used: \(ProviderID.fileNaming)")
        }
        if listings.isEmpty {
            let folders = context.settings.providerFolders.joined(separator: ", ")
            context.status.error("no providers were found in \(folders)", hint: "put NAME.js into one of them")
        }
        if hasFailure || listings.isEmpty { throw ExitStatus.failure }
    }
}

extension ProviderListing {
    /// Where it comes from: its pack, its folder, or nothing to tell for what ships with the program.
    fileprivate var from: String {
        pack ?? (isShipped ? "" : path.lastIndex(of: "/").map { String(path[..<$0]) } ?? "")
    }
}

extension ProviderManifest {
    /// Whether a key is needed, in one word.
    fileprivate var keyNeed: String { authentication.isEmpty ? "no" : needsKey ? "yes" : "optional" }
}
