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
    /// The run begins when its events are read, or with `finish()`. A file that cannot be downloaded is an event, and the
    /// others go on; what is there already is not fetched again.
    ///
    /// - Throws: a `DownloadError` when an option is not valid.
    public func download<Images: AsyncSequence & Sendable>(
        _ images: Images, to folder: String, options: DownloadOptions = DownloadOptions()
    ) throws -> DownloadRun where Images.Element == Item {
        try download(inputs: images.map { [DownloadInput(.item($0))] }, to: folder, options: options)
    }

    /// Downloads inputs of every kind into a folder: images, ids, pages, files; they come in batches.
    ///
    /// - Parameter collections: how much is wanted of a collection among the inputs, and of what kind.
    /// - Throws: a `DownloadError` when an option is not valid.
    public func download<Inputs: AsyncSequence & Sendable>(
        inputs: Inputs, to folder: String, options: DownloadOptions = DownloadOptions(),
        collections: SearchOptions = SearchOptions()
    ) throws -> DownloadRun where Inputs.Element == [DownloadInput] {
        try options.validate()
        return DownloadRun(inputs, to: folder, options: options, environment(options, collections))
    }

    /// Downloads again what failed in a folder, in all runs before.
    ///
    /// - Throws: a `DownloadError` when an option is not valid.
    public func retryFailedDownloads(
        in folder: String, options: DownloadOptions = DownloadOptions()
    ) throws -> DownloadRun {
        try options.validate()
        return DownloadRun(retryingIn: folder, options: options, environment(options, SearchOptions()))
    }

    private func environment(_ options: DownloadOptions, _ collections: SearchOptions) -> DownloadRun.Environment {
        let now: @Sendable () -> Int = { WallClock.secondsSince1970 }
        let notices = notices
        let sources = DownloadSources(providers, in: directory, instance: instance)
        return DownloadRun.Environment(
            resolver: InputResolver(
                sources: sources, choice: options.size,
                collection: { self.images(of: .collection($0), in: [], collections) },
                now: now),
            now: now,
            warning: { notices.post(.warning($0)) },
            makeTransport: {
                let client = try self.downloadClient(options)
                let tokens = OAuthTokens(over: RedirectingTransport(over: client), now: now)
                return RedirectingTransport(
                    over: OAuthTransport(over: client, tokens: tokens), deadline: options.fetch.deadline)
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
