@_exported public import Downloads
import HTTPTransport
import ProviderModel
import Search

extension ImageEngine {
    /// Downloads images into a folder.
    ///
    /// ```swift
    /// let engine = try ImageEngine()
    /// let run = try engine.download(engine.search("red fox"), to: "foxes")
    /// for try await event in run { if case .failed(let error) = event { print(error) } }
    /// print(run.tally.finished, "files")
    /// ```
    ///
    /// The run begins when its events are iterated, or with `finish()`. A file that cannot be downloaded is an event, and the
    /// others continue; a file that exists is not fetched again.
    ///
    /// - Parameters:
    ///   - images: the images, such as those of a search.
    ///   - folder: the folder for the files, created if missing.
    ///   - options: sizes, names, limits and formats.
    ///   - context: the name in logs and the receiver of notices.
    /// - Returns: the run, whose iteration gives its events.
    /// - Throws: `DownloadError` with the code `template` or `option` when the options are not valid.
    public func download<Images: AsyncSequence & Sendable>(
        _ images: Images, to folder: String, options: DownloadOptions = DownloadOptions(),
        context: EngineContext = EngineContext()
    ) throws -> DownloadRun where Images.Element == Item {
        try download(
            inputs: images.map { [DownloadInput(.item($0))] }, to: folder, options: options, context: context)
    }

    /// Downloads inputs of every kind into a folder: images, references, pages and files.
    ///
    /// - Parameters:
    ///   - inputs: batches of inputs, such as a ``DownloadInputList``.
    ///   - folder: the folder for the files, created if missing.
    ///   - options: sizes, names, limits and formats.
    ///   - selection: which of the inputs, and which images of collections among them.
    ///   - context: the name in logs and the receiver of notices.
    /// - Returns: the run, whose iteration gives its events.
    /// - Throws: `DownloadError` with the code `template` or `option` when the options are not valid.
    public func download<Inputs: AsyncSequence & Sendable>(
        inputs: Inputs, to folder: String, options: DownloadOptions = DownloadOptions(),
        selection: InputSelection = InputSelection(), context: EngineContext = EngineContext()
    ) throws -> DownloadRun where Inputs.Element == [DownloadInput] {
        let options = try checked(options)
        return DownloadRun(inputs, to: folder, options: options, environment(options, selection, context))
    }

    /// Downloads the files that failed in earlier runs into a folder.
    ///
    /// - Parameters:
    ///   - folder: the folder of the earlier runs.
    ///   - options: sizes, names, limits and formats.
    ///   - selection: which of the files.
    ///   - context: the name in logs and the receiver of notices.
    /// - Returns: the run, whose iteration gives its events.
    /// - Throws: `DownloadError` with the code `template` or `option` when the options are not valid.
    public func retryFailedDownloads(
        in folder: String, options: DownloadOptions = DownloadOptions(), selection: InputSelection = InputSelection(),
        context: EngineContext = EngineContext()
    ) throws -> DownloadRun {
        let options = try checked(options)
        return DownloadRun(retryingIn: folder, options: options, environment(options, selection, context))
    }

    /// The options with the engine's own retries.
    private func checked(_ options: DownloadOptions) throws -> DownloadOptions {
        try options.validate()
        var options = options
        options.fetch.retries = settings.retryPolicy
        return options
    }

    private func environment(
        _ options: DownloadOptions, _ selection: InputSelection, _ context: EngineContext
    ) -> DownloadRun.Environment {
        let now: @Sendable () -> Int = { WallClock.secondsSince1970 }
        let notices = notices
        let sources = DownloadSources(
            providers, in: directory, instances: instances,
            // No cookie leaves the machine where nothing is to be sent.
            cookies: settings.answers == .live ? cookies : nil,
            // There are samples of lists, and of the details of one item.
            asksDetails: settings.answers != .samples, warning: { notices.post(.warning($0), in: context) })
        let adjusted = settings.adjusting(selection.options)
        return DownloadRun.Environment(
            resolver: InputResolver(
                sources: sources, selection: options.selection,
                providers: selection.providers,
                collection: { item in
                    let search = events(of: .collection(item), in: [], selection.options, context: context)
                    return (search, adjusted(item.provider.description))
                },
                now: now, context: context),
            choice: choice(selection),
            now: now,
            warning: { notices.post(.warning($0), in: context) },
            makeTransport: {
                let client = try self.downloadClient(options)
                let tokens = OAuthTokens(over: RedirectingTransport(over: client), logins: self.logins, now: now)
                return RedirectingTransport(
                    over: LoginTransport(over: client, tokens: tokens, jars: self.stack.cookies, now: now),
                    deadline: options.fetch.deadline)
            })
    }

    /// The choice among single inputs: their provider's own conditions and limit go before those of the call.
    private func choice(_ selection: InputSelection) -> InputChoice {
        let (adjusted, single) = (settings.adjusting(selection.options), settings.providers)
        var choice = InputChoice()
        if let range = selection.options.range {
            choice.limit = { _ in range.last }
            choice.isWanted = range.contains
        } else if selection.limit != nil || single.contains(where: { $0.value.limit != nil }) {
            choice.limit = { single[$0.description]?.limit ?? selection.limit }
        }
        guard !selection.options.filter.isEmpty || single.contains(where: { !$0.value.filter.isEmpty }) else {
            return choice
        }
        choice.exclusionOfImage = { item in
            var filter = adjusted(item.provider.description).filter
            // An image without a file of the wanted kinds is reported as such.
            filter.kinds = Set(Media.Kind.allCases)
            return item.media.isEmpty || filter.admits(item) ? nil : .filter
        }
        choice.exclusionOfFile = { url in
            switch selection.options.filter.admits(fileAt: url) {
            case true?: nil
            case false?: .filter
            case nil: .unknownFile
            }
        }
        return choice
    }

    /// A client of its own: as many connections as files, whole files instead of answers, and no retries but the fetch's.
    private func downloadClient(_ options: DownloadOptions) throws -> CurlTransport {
        var transport = try settings.transportSettings
        transport.connectionsPerHost = options.jobLimit
        // Files that share a limited rate may each be slow.
        if options.maximumRate != nil { transport.minimumSpeed = 0 }
        return CurlTransport(settings: transport)
    }
}

/// The inputs of a download that are wanted.
///
/// ```swift
/// var selection = InputSelection()
/// selection.options.filter.licenses = ["cc0"]
/// selection.limit = 100
/// let list = DownloadInputList(path: "foxes.jsonl")
/// try await engine.download(inputs: list, to: "foxes", selection: selection).finish()
/// ```
public struct InputSelection: Sendable {
    /// Which images: the filter holds for all inputs, everything else for the images of collections among them; the range for single images, too.
    ///
    /// An image is judged by what its line or its details say. Of the file of a URL nothing else is known: it is left out
    /// where a condition asks for more.
    public var options = SearchOptions()
    /// The maximum number of images per provider, besides those of collections; nil for all.
    public var limit: Int?
    /// The providers that references and pages may be of; empty for all.
    public var providers: [String] = []

    /// Creates a selection of everything.
    public init() {}
}
