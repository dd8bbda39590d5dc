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
                // What was noted of those before is looked up beside the next: it takes as long as planning them.
                async let isWritten: Void = job.writeWhatIsDue()
                let planned = try place(requests, tally)
                try await isWritten
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
        let files = requests.map { request in
            Result { () throws(DownloadError) in try planner.file(for: request) }
        }
        // As many as there are files.
        var known = try job.archive?.paths(of: files.compactMap { try? $0.get().key }).makeIterator()
        var planned: [PlannedDownload] = []
        for (request, file) in zip(requests, files) where !isStopped.load(ordering: .acquiring) {
            do {
                let file = try file.get()
                switch try place(file, known?.next() ?? nil) {
                case .wanted(let plan): planned.append(plan)
                case .skipped(let reason):
                    tally.addSkip()
                    observer(.skipped(file.key, reason))
                    if tally.skipsInARow >= settings.stopsAfterSkips ?? .max { stop() }
                }
            } catch let error as DownloadError where !error.stopsEverything && error.code != .archive {
                tally.addFailure()
                observer(.failed(request, error))
            }
        }
        return planned
    }

    private enum Placing {
        case wanted(PlannedDownload)
        case skipped(SkipReason)
    }

    /// The plan with a name of its own, or why the file need not be fetched.
    private func place(_ file: WantedFile, _ archived: String?) throws -> Placing {
        if let path = archived {
            try job.note(file, presentAt: path)
            return .skipped(.archived(path: path))
        }
        let planned = planner.plan(file)
        // What others put there since the beginning is found under the file's lock.
        if try job.store.mayHold(planned), let path = try job.store.existing(planned, underAnyEnding: false) {
            try adopt(planned, at: path)
            try job.note(file, presentAt: path)
            return .skipped(.present(path: path))
        }
        guard let claimed = active.claim(planned) else { return .skipped(.repeated) }
        return .wanted(claimed)
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
