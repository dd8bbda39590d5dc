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
    ///   - collections: how many images of a collection among the inputs, and which.
    ///   - context: the name in logs and the receiver of notices.
    /// - Returns: the run, whose iteration gives its events.
    /// - Throws: `DownloadError` with the code `template` or `option` when the options are not valid.
    public func download<Inputs: AsyncSequence & Sendable>(
        inputs: Inputs, to folder: String, options: DownloadOptions = DownloadOptions(),
        collections: SearchOptions = SearchOptions(), context: EngineContext = EngineContext()
    ) throws -> DownloadRun where Inputs.Element == [DownloadInput] {
        let options = try checked(options)
        return DownloadRun(inputs, to: folder, options: options, environment(options, collections, context))
    }

    /// Downloads the files that failed in earlier runs into a folder.
    ///
    /// - Parameters:
    ///   - folder: the folder of the earlier runs.
    ///   - options: sizes, names, limits and formats.
    ///   - context: the name in logs and the receiver of notices.
    /// - Returns: the run, whose iteration gives its events.
    /// - Throws: `DownloadError` with the code `template` or `option` when the options are not valid.
    public func retryFailedDownloads(
        in folder: String, options: DownloadOptions = DownloadOptions(), context: EngineContext = EngineContext()
    ) throws -> DownloadRun {
        let options = try checked(options)
        return DownloadRun(retryingIn: folder, options: options, environment(options, SearchOptions(), context))
    }

    /// The options with the engine's own retries.
    private func checked(_ options: DownloadOptions) throws -> DownloadOptions {
        try options.validate()
        var options = options
        options.fetch.retries = settings.retryPolicy
        return options
    }

    private func environment(
        _ options: DownloadOptions, _ collections: SearchOptions, _ context: EngineContext
    ) -> DownloadRun.Environment {
        let now: @Sendable () -> Int = { WallClock.secondsSince1970 }
        let notices = notices
        let sources = DownloadSources(
            providers, in: directory, instance: instance,
            // There are samples of lists, and of the details of one item.
            asksDetails: settings.answers != .samples)
        return DownloadRun.Environment(
            resolver: InputResolver(
                sources: sources, selection: options.selection,
                collection: { self.images(of: .collection($0), in: [], collections, context: context) },
                now: now, context: context),
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

    /// A client of its own: as many connections as files, whole files instead of answers, and no retries but the fetch's.
    private func downloadClient(_ options: DownloadOptions) throws -> CurlTransport {
        var transport = try settings.transportSettings
        transport.connectionsPerHost = options.jobLimit
        // Files that share a limited rate may each be slow.
        if options.maximumRate != nil { transport.minimumSpeed = 0 }
        return CurlTransport(settings: transport)
    }
}
