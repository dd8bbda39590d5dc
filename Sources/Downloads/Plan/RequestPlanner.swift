import ProviderModel

/// Decides what is fetched for requests: those that are there already are skipped, the others get names of their own.
struct RequestPlanner {
    enum Decision {
        case fetch(PlannedFile)
        case skip(DownloadRequest, SkipReason)
        case fail(DownloadRequest, DownloadError)
    }

    let template: NameTemplate
    let conversion: PictureConversion
    let store: any DownloadStore
    let archive: DownloadArchive?
    let credits: CreditLedger?
    let sidecars: SidecarWriter?
    let bundles: BundleStage?
    let failures: FailedDownloads?
    let deadLinkAge: Duration
    let active: ActiveDownloads
    let now: @Sendable () -> Int

    /// The decisions for a batch, in its order; the archive and the credits are asked once for all of it.
    func decide(_ requests: [DownloadRequest]) throws -> [Decision] {
        let archived = try archive?.paths(of: requests.map(\.key)) ?? requests.map { _ in nil }
        let dead = failures?.deadLinks(among: requests.map(\.key.description), within: deadLinkAge) ?? [:]
        var present: [(request: DownloadRequest, path: String)] = []
        var decisions: [Decision] = []
        for (request, archived) in zip(requests, archived) {
            do throws(DownloadError) {
                let decision = try decide(request, archived: archived, dead[request.key.description])
                decisions.append(decision)
                if case .skip(_, let reason) = decision, let path = reason.path { present.append((request, path)) }
            } catch {
                guard !error.stopsEverything, error.code != .archive else { throw error }
                decisions.append(.fail(request, error))
            }
        }
        try notePresent(present)
        return decisions
    }

    /// Adds what goes along with files that are there: an earlier run may have been killed, or asked for less.
    func notePresent(_ files: [(request: DownloadRequest, path: String)]) throws(DownloadError) {
        try credits?.notePresent(files)
        if let bundles { for (request, path) in files { bundles.add(request, at: path) } }
        guard let sidecars else { return }
        for (request, path) in files {
            try sidecars.writeMissing(request, at: path, store) { () throws(DownloadError) in
                try archive?.record(of: request.key)
            }
        }
    }

    private func decide(
        _ request: DownloadRequest, archived: String?, _ dead: FailedDownload?
    ) throws(DownloadError) -> Decision {
        if let archived { return .skip(request, .archived(path: archived)) }
        let planned = template.plan(request, conversion)
        if let path = try store.existing(planned, underAnyEnding: false) {
            try adopt(planned, at: path)
            return .skip(request, .present(path: path))
        }
        if let dead { return .skip(request, dead.skipReason) }
        guard let claimed = active.claim(planned) else { return .skip(request, .repeated) }
        return .fetch(claimed)
    }

    /// Adds what goes along with a file that was found when it was about to be fetched.
    func noteFound(_ planned: PlannedFile, at path: String) throws(DownloadError) {
        // Another process may have finished it meanwhile, and recorded more.
        if try archive?.record(of: planned.key) == nil { try adopt(planned, at: path) }
        try notePresent([(planned.request, path)])
    }

    /// Adds a file to the archive that is there though the archive does not know it: from before a crash, or elsewhere.
    private func adopt(_ planned: PlannedFile, at path: String) throws(DownloadError) {
        guard let archive else { return }
        let facts = try store.facts(of: path)
        archive.add(
            ArchiveRecord(
                key: planned.key, url: planned.url.withoutQuery, sha256: facts.sha256, bytes: facts.bytes, time: now(),
                path: path))
    }
}
