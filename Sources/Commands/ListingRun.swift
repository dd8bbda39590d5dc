import ImgScript

/// Prints a listing as it comes, and ends with the exit code that tells how it went.
struct ListingRun {
    let context: AppContext
    let options: ListingOptions
    let engineOptions: EngineOptions

    /// Runs the listing to its end.
    func print(_ listing: Listing, text: String = "", providers: [String]) async throws {
        try await context.engine.checkInstance(isTakenBy: context.engine.providerNames(for: providers))
        let search = context.engine.events(
            listing, text: text, providers: providers, options: options.searchOptions,
            crawl: try crawl(listing, text, providers))
        let providers = context.engine.providerNames(for: providers)
        let ids = providers.compactMap { ProviderID($0) }
        var printer = options.format.printer(
            to: context.output, on: context.terminal, providers: ids, limit: options.limit)
        var outcome = Outcome(summary: ResultSummary(providers: ids))
        var events = search.makeAsyncIterator()
        while let event = await events.next() {
            switch event {
            case .image(let item):
                outcome.count += 1
                outcome.summary.add(item)
                if options.tags { outcome.tags.add(item) } else { try printer.print(item) }
            case .failure(_, let error): if outcome.counts(error) { context.status.error(error) }
            case .finished(let part): outcome.add(part)
            }
            // A page's images go out together: a call for each costs more than making them up.
            if !events.hasImageAtHand { try context.output.flush() }
        }
        let asked = providers.count - outcome.skipped.count
        if options.tags {
            if outcome.tags.isEmpty, outcome.count > 0 { outcome.summary.notes.append("none of them has tags") }
            try printTags(outcome.tags)
        } else if !engineOptions.dryRun, outcome.count > 0 || outcome.failures.count < asked {
            try printer.finish()
        }
        try context.output.flush()
        try await close(outcome, asked: asked)
    }

    /// What came of a listing besides its results.
    private struct Outcome {
        var tags = TagCounts()
        var summary: ResultSummary
        var failures: [any Error] = []
        var skipped = SkippedProviders()
        var filtered = 0
        var count = 0

        /// Takes an error; whether it is a failure.
        mutating func counts(_ error: any Error) -> Bool {
            if error is DryRunEnd { return false }
            guard let error = error as? SkippedProvider else {
                failures.append(error)
                return true
            }
            skipped.add(error)
            summary.leaveOut(error.provider)
            return false
        }

        mutating func add(_ part: MergedSearch.Summary) {
            filtered += part.filtered
            if let total = part.total { summary.total = (summary.total ?? 0) + total }
        }
    }

    /// Says how the listing went, and fails with the code that tells it.
    private func close(_ outcome: Outcome, asked: Int) async throws {
        if !engineOptions.dryRun, outcome.failures.count < asked {
            sayCounts(outcome.summary, filtered: outcome.filtered)
        }
        outcome.skipped.tell(on: context.status)
        await tellOfTerms(outcome.summary)
        let status = ExitStatus(failures: outcome.failures, of: asked)
        guard status == .success else { throw status }
    }

    /// Says what the sources of these results want to be said, each sentence once, and which of them want their images
    /// downloaded: their addresses are about to be linked, perhaps.
    private func tellOfTerms(_ summary: ResultSummary) async {
        guard !context.status.isQuiet else { return }
        var notices: [String] = []
        for provider in summary.counts where provider.count > 0 {
            // A provider that answered can be loaded; if not, that is told of elsewhere.
            guard let manifest = try? await context.engine.manifest(of: provider.provider.description) else { continue }
            let terms = manifest.terms
            if let notice = terms.notice, !notices.contains(notice) { notices.append(notice) }
            guard options.format.isOfAddresses, terms.allowsHotlinking == false else { continue }
            let place = terms.url.map { "\($0)" } ?? "unknown"
            context.status.note(
                "\(manifest.name) wants its images downloaded, not shown from its own servers",
                hint: "imgscript download fetches them, also from --format jsonl; the terms: \(place)")
        }
        for notice in notices { context.status.note(notice) }
    }

    /// Where a later run may go on, or this one does; samples and dry runs leave no trace.
    private func crawl(_ listing: Listing, _ text: String, _ providers: [String]) throws -> ResumePoint? {
        guard context.settings.answers == .live || options.resume else { return nil }
        let status = context.status
        return try context.engine.crawl(
            listing, text: text, providers: providers, options: options.searchOptions, isResuming: options.resume
        ) { status.note($0.description) }
    }

    private func printTags(_ tags: TagCounts) throws {
        let terminal = context.terminal
        switch options.format {
        case .json: try context.output.write(tags.json(on: terminal))
        case .jsonl: try context.output.write(tags.jsonLines(on: terminal))
        case .csv: try context.output.write(tags.csv(on: terminal))
        // More are seldom read; another program gets them all.
        case .table, .urls, .template:
            try context.print(tags.lines(on: terminal, limit: terminal.isTerminal ? 50 : nil))
        }
    }

    private func sayCounts(_ counts: ResultSummary, filtered: Int) {
        var summary = counts
        if filtered > 0 { summary.notes.append("\(filtered) left out by filters") }
        if let note = context.storedAnswers.note { summary.notes.append(note) }
        if engineOptions.sample { summary.notes.append("samples, not live results") }
        // A filter makes “n of total” compare two different things.
        if filtered > 0 { summary.total = nil }
        context.status.note(rendered: summary.line(on: context.status.terminal))
    }
}
