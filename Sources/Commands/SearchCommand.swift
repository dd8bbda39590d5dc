import ArgumentParser
import ImgScript

struct SearchCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "search",
        abstract: "Prints images that match a text.",
        discussion: """
            Examples:
              imgscript search coffee
              imgscript search --provider pixabay --param orientation=vertical "red fox"
              imgscript search --provider all --sample coffee --format jsonl
            """)

    @Argument(help: "The words to search for.")
    var text: [String]

    @Option(name: .providers, help: .providers)
    var providers: [String] = []

    @OptionGroup(title: "Results") var listing: ListingOptions
    @OptionGroup(title: "Engine") var engine: EngineOptions

    func run() async throws {
        let context = try AppContext(engine, pagesInFlight: listing.selection.pagesInFlight)
        try await context.run {
            try await ListingRun(context: context, options: listing, engineOptions: engine)
                .print(.search, text: text.joined(separator: " "), providers: providers)
        }
    }
}

struct FeedCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "feed",
        abstract: "Prints a list that needs no text: recent, popular, editorial.",
        discussion: """
            Where a provider has several lists, a parameter chooses:
              imgscript feed --provider flickr --param list=interesting
            """)

    @Option(name: .providers, help: .providers)
    var providers: [String] = []

    @OptionGroup(title: "Results") var listing: ListingOptions
    @OptionGroup(title: "Engine") var engine: EngineOptions

    func run() async throws {
        let context = try AppContext(engine, pagesInFlight: listing.selection.pagesInFlight)
        try await context.run {
            try await ListingRun(context: context, options: listing, engineOptions: engine)
                .print(.feed, providers: providers)
        }
    }
}
