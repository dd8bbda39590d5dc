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
        if let address = text.first(where: { $0.isWebAddress || $0.foreignScheme != nil }) {
            throw ValidationError(
                "\(address.quoted) is a URL (expected words to search for; show and download take URLs; in quotation marks, "
                    + "such as '\"https://…\"', one is searched for)")
        }
        try followUp.validate(with: listing)
    }

    func run() async throws {
        let run = try ListingRun(options: listing, followUp: followUp, engineOptions: engine)
        try await run.context.run {
            if let word = text.first(where: {
                DownloadInput.isReference($0, isInstalled: run.context.engine.isInstalled)
            }) {
                run.context.status.note("\(word) is searched for", hint: "imgscript show \(word) shows the image")
            }
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
        completion: .references)
    var reference: String

    @OptionGroup(title: "Results") var listing: ListingOptions
    @OptionGroup(title: "With the results") var followUp: FollowUpOptions
    @OptionGroup(title: "Engine") var engine: EngineOptions

    func validate() throws { try followUp.validate(with: listing) }

    func run() async throws {
        let run = try ListingRun(options: listing, followUp: followUp, engineOptions: engine)
        try await run.context.run {
            try run.followUp.check()
            await run.context.refreshStatuses()
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
        let isWanted = try check(item, context)
        guard isWanted, !listing.tags else {
            if listing.tags {
                try run.printTags(of: isWanted ? [item] : [])
            } else if listing.format != .table {
                var printer = printer(for: item, context)
                try printer.finish()
            }
            if isWanted { return }
            let conditions = listing.selection.conditions.joined(separator: ", ")
            return context.status.note("1 filtered out: \(item.reference) does not meet \(conditions)")
        }
        let previews = listing.preview ? try PreviewPrinter(listing.pictures.previewFormat, in: context) : nil
        try await previews?.print(item, in: context)
        try await printDetails(of: item, context)
        if run.followUp.isWanted { try await run.followUp.run(on: [item]) }
    }

    /// Whether the image meets the conditions; throws for options that it cannot have.
    private func check(_ item: Item, _ context: AppContext) throws -> Bool {
        let selection = listing.selection
        let provider = item.provider.description
        try LicenseChoice.check(selection.licenses, of: [provider])
        try context.groups.checkProviderOptions(areFor: [provider])
        if listing.resume { throw ValidationError("--resume: \(reference.quoted) is an image (expected a collection)") }
        let unused = selection.optionsOfListings + (selection.range == nil ? [] : ["--range"])
        for option in unused where !context.groups.isFromSettings(String(option.dropFirst(2))) {
            context.status.warning("\(option): not used: \(reference.quoted) is an image")
        }
        var filter = context.engine.options(try selection.searchOptions, of: provider).filter
        // An item that was named is wanted, also where it is nothing but a film.
        filter.kinds = Set(Media.Kind.allCases)
        return item.media.isEmpty || filter.admits(item)
    }

    private func printer(for item: Item, _ context: AppContext) -> any ItemPrinter {
        let media = listing.selection.narrowing.media
        return listing.format.printer(
            to: context.output, on: context.terminal, media: item.hasFile(of: media) ? media : Set(Media.Kind.allCases),
            cleaning: listing.cleaning)
    }

    private func printDetails(of item: Item, _ context: AppContext) async throws {
        guard case .table = listing.format else {
            var printer = printer(for: item, context)
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
