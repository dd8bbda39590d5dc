import ArgumentParser
import ImgScriptKit

struct ProvidersCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "providers", abstract: "Lists, explains, checks and begins providers.",
        subcommands: [List.self, About.self, Check.self, New.self, DevelopProvider.self], defaultSubcommand: List.self)

    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Lists the providers that can be found.")

        @OptionGroup var engine: EngineOptions

        func run() async throws {
            let context = try AppContext(engine)
            try await context.run {
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
                for line in table.lines(on: context.terminal) { try context.printLine(line) }
                try context.output.flush()
                try tellTroubles(of: listings, context)
            }
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
            if listings.isEmpty {
                let folders = context.settings.providerFolders.joined(separator: ", ")
                context.status.error("no providers were found in \(folders)", advice: "put NAME.js into one of them")
            }
            if hasFailure || listings.isEmpty { throw ExitStatus.failure }
        }
    }

    struct About: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "info", abstract: "Prints a provider's parameters, limits and terms.")

        @Argument(help: "The provider.")
        var name: String

        @OptionGroup var engine: EngineOptions

        func run() async throws {
            let context = try AppContext(engine)
            try await context.run {
                let manifest = try await context.engine.manifest(of: name)
                for line in ManifestDescription(manifest).lines(on: context.terminal) { try context.printLine(line) }
            }
        }
    }

    struct Check: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Evaluates a provider's file and checks it against the contract.")

        @Argument(help: ArgumentHelp("The provider's file.", valueName: "file"))
        var file: String

        @OptionGroup var engine: EngineOptions

        func run() async throws {
            let context = try AppContext(engine)
            try await context.run {
                let manifest: ProviderManifest
                do { manifest = try await context.engine.check(file: file) } catch {
                    context.status.error(error)
                    throw ExitStatus.failure
                }
                var list = CheckList()
                let operations = manifest.operations.map(\.operation.rawValue).joined(separator: ", ")
                list.add(.good, "\(manifest.id) \(manifest.version)", "keeps to contract \(ProviderManifest.contract)")
                if operations.isEmpty {
                    list.add(.bad, "operations", "none", advice: "give it at least search or feed")
                } else {
                    list.add(.good, "operations", operations)
                }
                if manifest.terms.url == nil {
                    list.add(.doubtful, "terms", "no url", advice: "say where the source's terms stand")
                }
                for line in list.lines(on: context.terminal) { try context.printLine(line) }
                if list.hasFailure { throw ExitStatus.failure }
            }
        }
    }

    struct New: ParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Writes the beginning of a provider into ./providers.")

        @Argument(help: "Its name: a–z, 0–9 and -.")
        var name: String

        func run() throws {
            guard let id = ProviderID(name) else {
                throw ValidationError("“\(name)” is no provider name, expected a–z, 0–9 and -, such as newsite.")
            }
            let path = try ProviderTemplate(id: id).write(into: "providers")
            Swift.print("wrote \(path); try: imgscript providers check \(path)")
        }
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
