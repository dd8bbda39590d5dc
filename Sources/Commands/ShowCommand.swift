import ArgumentParser
import ImgScript

struct ShowCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "show",
        abstract: "Prints everything a source says about an image, or the images of a collection.",
        discussion: """
            Examples:
              imgscript show pixabay:195893
              imgscript show unsplash:user:example
              imgscript show https://unsplash.com/photos/abc
            """)

    @Argument(help: ArgumentHelp("PROVIDER:ID, a provider's short form, or a page URL.", valueName: "reference"))
    var reference: String

    @OptionGroup(title: "Results") var listing: ListingOptions
    @OptionGroup(title: "Engine") var engine: EngineOptions

    func run() async throws {
        let context = try AppContext(engine, pagesInFlight: listing.selection.pagesInFlight)
        try await context.run {
            let item = try await context.engine.item(at: reference)
            guard item.type == .image else {
                return try await ListingRun(context: context, options: listing, engineOptions: engine)
                    .print(.collection(item), providers: [item.provider.description])
            }
            try await print(item, context)
        }
    }

    private func print(_ item: Item, _ context: AppContext) async throws {
        guard case .table = listing.format else {
            var printer = listing.format.printer(to: context.output, on: context.terminal)
            try printer.print(item)
            return try printer.finish()
        }
        let terms = try await context.engine.manifest(of: item.provider.description).terms
        try ItemDetailsPrinter(to: context.output, on: context.terminal)
            .print(item, attribution: Attribution(terms).line(for: item))
        if let note = context.storedAnswers.note { context.status.note(note) }
        if engine.sample { context.status.note("a sample, not a live result") }
        if let notice = terms.notice { context.status.note(notice) }
    }
}
