import Downloads
import HTTPTransport
import ProviderModel

/// What a run is made of.
extension Downloader {
    /// The archive that the options name; nil for none, and for one that a plan would have to make.
    func archive(isMade: Bool) throws -> DownloadArchive? {
        guard let path = options.archivePath(in: folder) else { return nil }
        if !isMade, !FileLook.isThere(path) { return nil }
        if isMade, options.archive == .inFolder { _ = try DownloadFolder(path: "\(folder)/\(Self.ownFolder)") }
        let onNotice = engine.settings.onNotice
        let warning: @Sendable (String) -> Void = { onNotice(.warning($0)) }
        return options.archive == .inFolder
            ? try DownloadArchive(path: path, warning: warning) : try DownloadArchive(named: path, warning: warning)
    }

    /// What fetches and keeps the files.
    func queue(
        _ folder: DownloadFolder, _ archive: DownloadArchive?, _ wishes: MediaSubstitutions, _ client: CurlTransport
    ) throws -> DownloadQueue {
        let now: @Sendable () -> Int = { WallClock.secondsSince1970 }
        let onNotice = engine.settings.onNotice
        let settings = options.queueSettings
        var companions = try options.companions(in: folder, now: now, warning: { onNotice(.warning($0)) })
        let store: any DownloadStore
        switch options.output {
        case .files: store = FolderStore(folder)
        case .shards(let size):
            let shards = try ShardStore(folder: folder, limit: size.size, now: now)
            // Last: what goes along with a file is done before its shard is closed.
            companions.append(shards)
            store = shards
        }
        let tokens = OAuthTokens(over: RedirectingTransport(over: client), now: now)
        return DownloadQueue(
            planner: planner,
            transport: RedirectingTransport(
                over: OAuthTransport(over: client, tokens: tokens), deadline: settings.fetch.deadline),
            store: store, archive: archive,
            resolver: ProviderMediaResolver(sources: sources, choice: planner.choice, now: now), companions: companions,
            settings: settings, executors: client.executors, now: now,
            observer: { [weak self] in self?.tell($0, archive, wishes) })
    }

    /// A client of its own: as many connections as files, whole files instead of answers, and no retries but the fetch's.
    func client() throws -> CurlTransport {
        var settings = try engine.settings.transportSettings
        settings.connectionsPerHost = options.mostJobs
        // Files that share a limited rate may each be slow.
        if options.maximumRate != nil { settings.minimumSpeed = 0 }
        return CurlTransport(settings: settings)
    }
}
