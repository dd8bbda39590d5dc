import ArgumentParser
import ImgScript

struct SearchCommand: AsyncParsableCommand, ProviderCommand {
    static let configuration = CommandConfiguration(
        commandName: "search",
        abstract: "Search images by text",
        discussion: """
            Examples:
              imgscript search coffee
              imgscript search --provider pixabay --param orientation=vertical "red fox"
              imgscript search --provider all --sample coffee --format jsonl
              imgscript search --provider e621 --image fox.jpg
              imgscript search --preview --select coffee
            """)

    @Argument(help: "words to search for", completion: .nothing)
    var text: [String] = []

    @Option(
        help: .init("find images that look like this one: a file or a URL, instead of words", valueName: "file|url"),
        completion: .file())
    var image: String?

    @Option(name: .providers, help: .providers, completion: .providersOrAll)
    var providers: [String] = []

    @OptionGroup(title: "Results") var listing: ListingOptions
    @OptionGroup(title: "With the results") var followUp: FollowUpOptions
    @OptionGroup(title: "Engine") var engine: EngineOptions

    func validate() throws {
        switch (text.isEmpty, image) {
        case (true, nil): throw ValidationError("no words to search for (expected some, or --image)")
        case (false, .some): throw ValidationError("--image is searched for without words; leave them out")
        default: break
        }
        try followUp.validate(with: listing)
    }

    func run() async throws {
        let run = try ListingRun(options: listing, followUp: followUp, engineOptions: engine)
        try await run.context.run {
            let listing =
                try image.map { Listing.similar(try run.context.engine.searchImage($0)) }
                ?? .search(text.joined(separator: " "))
            try await run.print(listing, providers: providers)
        }
    }
}

struct FeedCommand: AsyncParsableCommand, ProviderCommand {
    static let configuration = CommandConfiguration(
        commandName: "feed",
        abstract: "List recent, popular or editorial images",
        discussion: """
            A parameter chooses between the lists of a provider that has several:
              imgscript feed --provider flickr --param list=interesting
            """)

    @Option(name: .providers, help: .providers, completion: .providersOrAll)
    var providers: [String] = []

    @OptionGroup(title: "Results") var listing: ListingOptions
    @OptionGroup(title: "With the results") var followUp: FollowUpOptions
    @OptionGroup(title: "Engine") var engine: EngineOptions

    func validate() throws { try followUp.validate(with: listing) }

    func run() async throws {
        let run = try ListingRun(options: listing, followUp: followUp, engineOptions: engine)
        try await run.context.run { try await run.print(.feed, providers: providers) }
    }
}

struct ShowCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "show",
        abstract: "Show the details of an image, or list a collection",
        discussion: """
            Examples:
              imgscript show pixabay:195893
              imgscript show unsplash:user:example
              imgscript show https://unsplash.com/photos/abc
            """)

    @Argument(
        help: ArgumentHelp("PROVIDER:ID, a provider's short form, or a page URL", valueName: "reference"),
        completion: .nothing)
    var reference: String

    @OptionGroup(title: "Results") var listing: ListingOptions
    @OptionGroup(title: "With the results") var followUp: FollowUpOptions
    @OptionGroup(title: "Engine") var engine: EngineOptions

    func validate() throws { try followUp.validate(with: listing) }

    func run() async throws {
        let run = try ListingRun(options: listing, followUp: followUp, engineOptions: engine)
        try await run.context.run {
            try run.followUp.check()
            let item = try await run.context.engine.details(of: reference)
            if item.type != .collection {
                try await print(item, run)
            } else {
                try await run.print(.collection(item), providers: [item.provider.description])
            }
        }
    }

    private func print(_ item: Item, _ run: ListingRun) async throws {
        let context = run.context
        let previews = listing.preview ? try PreviewPrinter(listing.pictures.previewFormat, in: context) : nil
        try await previews?.print(item, in: context)
        try await printDetails(of: item, context)
        if run.followUp.isWanted { try await run.followUp.run(on: [item]) }
    }

    private func printDetails(of item: Item, _ context: AppContext) async throws {
        guard case .table = listing.format else {
            // An item that was named is wanted, also where it is nothing but a film.
            let media = listing.selection.narrowing.media
            let kinds = item.hasFile(of: media) ? media : Set(Media.Kind.allCases)
            var printer = listing.format.printer(
                to: context.output, on: context.terminal, media: kinds, cleaning: listing.cleaning)
            try printer.print(item)
            return try printer.finish()
        }
        let terms = try await context.engine.manifest(of: item.provider.description).terms
        let details = ItemDetails(item, attribution: Attribution(terms).line(for: item))
        try context.print(details.lines(on: context.terminal))
        try context.output.flush()
        if let staleness = context.notices.staleness { context.status.note(staleness) }
        if engine.sample { context.status.note("a sample, not a live result") }
        if let notice = terms.notice { context.status.note(notice) }
    }
}
