import ArgumentParser
import ImgScript

struct BrowseCommand: AsyncParsableCommand, ProviderCommand {
    static let configuration = CommandConfiguration(
        commandName: "browse",
        abstract: "Search and look at images on the whole terminal",
        discussion: """
            Thumbnails in a grid, more of them as you go on; the keys stand in the last line. Space marks images, d \
            downloads them, as imgscript download does, and q quits. Without words, a provider's feed is shown.
              imgscript browse coffee
              imgscript browse --sample --provider pixabay coffee
              imgscript browse --provider unsplash -d wallpapers --min-width 2560 mountains
            All images that there are can be gone through; --limit shows fewer. Needs chafa.
            """)

    @Argument(help: "words to search for", completion: .nothing)
    var text: [String] = []

    @Option(name: .providers, help: .providers, completion: .providersOrAll)
    var providers: [String] = []

    @OptionGroup(title: "Pictures") var pictures: PictureOptions
    @OptionGroup(title: "Results") var selection: SelectionOptions
    @OptionGroup(title: "Files") var files: FileOptions
    @OptionGroup(title: "Metadata and shards") var metadata: MetadataOptions
    @OptionGroup(title: "After each file") var afterwards: AfterwardsOptions
    @OptionGroup(title: "Transfers") var transfers: TransferOptions
    @OptionGroup(title: "Engine") var engine: EngineOptions

    /// How many images a request asks for, where neither the user nor the source says it.
    private static let pageSize = 50

    func validate() throws {
        for (name, isSet) in [("--dry-run", engine.dryRun), ("--trace", engine.trace)] where isSet {
            throw ValidationError("\(name): not supported here (expected a command that prints results)")
        }
    }

    func run() async throws {
        let notices = BrowseNotices()
        let context = try AppContext(engine) {
            $0.isStrict = selection.strict
            $0.onNotice = { notices.add($0) }
        }
        try await context.run {
            // Before a provider is looked at.
            try TerminalInput.check(context.terminal, for: "browse")
            let names = context.engine.providerNames(for: providers)
            try LicenseChoice.check(selection.licenses, of: names)
            try context.groups.checkProviderOptions(areFor: names)
            try await context.engine.checkInstance(isTakenBy: names)
            try await context.engine.checkCookies(areTakenBy: names)
            await context.refreshStatuses()
            // A slip that a screen of failures would hide.
            if !providers.isEmpty { for name in names { _ = try await context.engine.manifest(of: name) } }
            let words = text.joined(separator: " ")
            let session = try BrowseSession(
                context, notices, providers: providers, search: searchOptions, downloads: downloads(in: context),
                format: pictures.previewFormat, words: words.isEmpty ? nil : words,
                isListing: !words.isEmpty || !providers.isEmpty)
            let status = await session.run()
            guard status == .success else { throw status }
        }
    }

    /// As many images as there are, a page at a time.
    private var searchOptions: SearchOptions {
        get throws {
            var options = try selection.searchOptions
            options.limit = selection.givenLimit ?? SelectionOptions.limits.upperBound
            options.pageSize = options.pageSize ?? min(options.limit, Self.pageSize)
            options.pagesInFlight = 1
            return options
        }
    }

    private func downloads(in context: AppContext) throws -> BrowseDownloads {
        // The limit is that of the list; what was chosen there is wanted.
        var inputs = InputSelection()
        inputs.options = try selection.searchOptions
        return BrowseDownloads(
            context.engine, to: files.directory,
            try DownloadOptions(files, metadata, afterwards, transfers, selection, named: "images"),
            selection: inputs)
    }
}
