import ProviderModel

/// What is asked for becomes what is fetched.
extension DownloadQueue {
    /// Plans what comes next, and says that it is done.
    func tellPlans(_ tally: DownloadTally) async {
        let step = await planOn(tally)
        steps.put(step)
        guard case .planned(isLast: true) = step else { return }
        // While the last files come, there is time for what would have to be written after them. What fails here fails
        // there, too.
        try? job.write()
    }

    /// Takes requests until one has to be fetched; those that are there already are told of on the way.
    private func planOn(_ tally: DownloadTally) async -> Step {
        do {
            while true {
                let requests = try await feed.next()
                let planned = try place(requests, tally)
                guard planned.isEmpty, !requests.isEmpty, !isStopped.load(ordering: .acquiring) else {
                    schedule.add(planned, isLast: requests.isEmpty)
                    return .planned(isLast: requests.isEmpty)
                }
            }
        } catch {
            return .inputFailed(error)
        }
    }

    /// The plans, each with a name of its own, of those that have to be fetched.
    private func place(_ requests: [DownloadRequest], _ tally: DownloadTally) throws -> [PlannedDownload] {
        var plans: [(DownloadRequest, Result<PlannedDownload, DownloadError>)] = []
        for request in requests {
            plans.append((request, Result { () throws(DownloadError) in try planner.plan(request) }))
        }
        let known = try job.archive?.records(of: plans.compactMap { try? $0.1.get().key }) ?? [:]
        var wanted: [PlannedDownload] = []
        for (request, plan) in plans where !isStopped.load(ordering: .acquiring) {
            do {
                let (planned, reason) = try place(try plan.get(), known)
                guard let reason else {
                    wanted.append(planned)
                    continue
                }
                tally.addSkip()
                observer(.skipped(planned.key, reason))
                if tally.skipsInARow >= settings.stopsAfterSkips ?? .max { stop() }
            } catch let error as DownloadError where !error.stopsEverything && error.code != .archive {
                tally.addFailure()
                observer(.failed(request, error))
            }
        }
        return wanted
    }

    /// The plan with a name of its own, and why it need not be fetched, if so.
    private func place(
        _ planned: PlannedDownload, _ known: [MediaKey: ArchiveRecord]
    ) throws -> (PlannedDownload, SkipReason?) {
        if let record = known[planned.key] {
            try job.note(planned, presentAt: record.path, record)
            return (planned, .archived(path: record.path))
        }
        // What others put there since the beginning is found under the file's lock.
        if try job.store.mayHold(planned), let path = try job.store.existing(planned, underAnyEnding: false) {
            try adopt(planned, at: path)
            try job.note(planned, presentAt: path, nil)
            return (planned, .present(path: path))
        }
        guard let claimed = active.claim(planned) else { return (planned, .repeated) }
        return (claimed, nil)
    }

    /// Notes a file that is there though the archive does not know it: from before a crash, or from elsewhere.
    private func adopt(_ planned: PlannedDownload, at path: String) throws {
        guard let archive = job.archive, let found = job.store.hash(of: path) else { return }
        try archive.add(
            ArchiveRecord(
                key: planned.key, url: planned.media.url.withoutQuery, hash: found.hash,
                bytes: found.bytes, time: job.now(), path: path
            )
        )
    }
}
