import ImgScript

/// Prints a listing as it arrives, and ends with the exit code of its outcome.
struct ListingRun {
    let context: AppContext
    let followUp: ResultFollowUp
    private let options: ListingOptions
    private let engineOptions: EngineOptions

    /// A run with an engine of its own.
    init(options: ListingOptions, followUp: FollowUpOptions, engineOptions: EngineOptions) throws {
        self.options = options
        self.engineOptions = engineOptions
        context = try AppContext(
            engineOptions, pagesInFlight: options.selection.pagesInFlight, tellsOfUpdates: true
        ) {
            $0.isStrict = options.selection.strict
        }
        self.followUp = ResultFollowUp(
            context: context, options: followUp, profile: engineOptions.network.profile)
    }

    /// What came of a listing besides its results.
    private struct Outcome {
        var tags = TagCounts()
        var summary: ResultSummary
        var failures: ProviderFailures
        var skipped = SkippedProviders()
        var filters = FilterSummary()
        var count = 0
        /// What is done with results needs them all.
        var items: [Item] = []

        mutating func add(_ error: any Error, _ status: StatusLine) {
            let known = error as? EngineError
            if known?.code == .dryRun { return }
            guard skipped.add(error) else { return failures.add(error, status) }
            if let provider = known?.provider { summary.leaveOut(provider) }
        }

        mutating func add(_ part: MergedSearch.Summary) {
            filters.add(part)
            if let total = part.total { summary.total = (summary.total ?? 0) + total }
        }
    }

    /// Runs the listing to its end.
    func print(_ listing: Listing, providers: [String]) async throws {
        try followUp.check()
        let names = context.engine.providerNames(for: providers)
        try LicenseChoice.check(options.selection.licenses, of: names)
        try context.groups.checkProviderOptions(areFor: names)
        try await context.engine.checkInstance(isTakenBy: names)
        try await context.engine.checkCookies(areTakenBy: names)
        await context.refreshStatuses()
        let ids = names.compactMap { ProviderID($0) }
        let resumePoint = try resumePoint(of: listing, in: providers)
        var printer = options.format.printer(
            to: context.output, on: context.terminal, providers: ids, limit: options.selection.limit,
            media: options.selection.narrowing.media, after: resumePoint?.delivered ?? 0, cleaning: options.cleaning)
        var outcome = Outcome(
            summary: ResultSummary(providers: ids), failures: ProviderFailures(providerCount: names.count))
        let events = try context.engine.events(
            of: listing, in: providers, options.selection.searchOptions, resumePoint: resumePoint)
        if options.preview {
            let previews = try PreviewPrinter(options.pictures.previewFormat, in: context, providers: ids)
            try await print(events, with: previews, &outcome)
        } else {
            try await print(events, with: &printer, &outcome)
        }
        let asked = names.count - outcome.skipped.count
        let hasResults = outcome.count > 0 || outcome.failures.errors.count < asked
        if options.tags {
            if outcome.tags.isEmpty, outcome.count > 0 { outcome.summary.notes.append("no tags") }
            try printTags(outcome.tags)
        } else if !engineOptions.dryRun, hasResults, !options.preview {
            try printer.finish()
        }
        try context.output.flush()
        let status = await finish(outcome, asked: asked)
        if followUp.isWanted, !engineOptions.dryRun { try await followUp.run(on: outcome.items) }
        guard status == .success else { throw status }
    }

    /// Prints results as text, as they come.
    private func print(
        _ search: MergedSearch, with printer: inout any ItemPrinter, _ outcome: inout Outcome
    ) async throws {
        let events = search.makeAsyncIterator()
        while let event = await events.next() {
            if let item = note(event, in: &outcome) {
                if options.tags { outcome.tags.add(item) } else { try printer.print(item) }
            }
            // The images of a page are written together: one call for each costs more than making them up.
            if !events.hasBufferedImage { try context.output.flush() }
        }
    }

    /// Prints results beside their pictures, each row when it and those before it are complete.
    private func print(
        _ search: MergedSearch, with previews: PreviewPrinter, _ outcome: inout Outcome
    ) async throws {
        var counted = outcome
        try await withThrowingTaskGroup(of: Void.self) { group in
            let events = search.makeAsyncIterator()
            while let event = await events.next() {
                guard let item = note(event, in: &counted) else { continue }
                try await previews.print(item, number: counted.count, in: &group)
            }
            try await group.waitForAll()
        }
        outcome = counted
    }

    /// Adds an event to the outcome; its image, if it is one.
    private func note(_ event: MergedSearch.Event, in outcome: inout Outcome) -> Item? {
        switch event {
        case .image(let item):
            outcome.count += 1
            outcome.summary.add(item)
            if followUp.isWanted { outcome.items.append(item) }
            return item
        case .failure(_, let error): outcome.add(error, context.status)
        case .finished(let part): outcome.add(part)
        }
        return nil
    }

    /// Prints the tags of items that were not listed.
    func printTags(of items: [Item]) throws {
        var tags = TagCounts()
        for item in items { tags.add(item) }
        try printTags(tags)
        if tags.isEmpty { context.status.note("no tags") }
    }

    /// Samples and dry runs have none.
    private func resumePoint(of listing: Listing, in providers: [String]) throws -> ResumePoint? {
        guard context.settings.answers == .live || options.resume else { return nil }
        let status = context.status
        return try context.engine.resumePoint(
            of: listing, in: providers, options.selection.searchOptions, isResuming: options.resume
        ) { status.note($0.text) }
    }

    private func printTags(_ tags: TagCounts) throws {
        let terminal = context.terminal
        switch options.format {
        case .json: try context.output.write(tags.json(on: terminal))
        case .jsonl: try context.output.write(tags.jsonLines(on: terminal))
        case .csv: try context.output.write(tags.csv)
        // More are seldom read; another program gets them all.
        case .table, .urls, .template:
            try context.print(tags.lines(on: terminal, limit: terminal.isTerminal ? 50 : nil))
        }
    }

    /// Prints the outcome of the listing, and returns its exit code.
    private func finish(_ outcome: Outcome, asked: Int) async -> ExitStatus {
        outcome.failures.printGroups(on: context.status)
        if !engineOptions.dryRun, outcome.failures.errors.count < asked { printSummary(of: outcome) }
        outcome.skipped.print(on: context.status)
        await context.printTerms(of: outcome.summary, isOfAddresses: options.format.isOfAddresses)
        return ExitStatus(failures: outcome.failures.errors, of: asked)
    }

    private func printSummary(of outcome: Outcome) {
        var summary = outcome.summary
        if outcome.filters.filtered > 0 {
            summary.notes.append("\(outcome.filters.filtered.grouped) filtered out")
            // A filter makes "n of total" compare two different things.
            summary.total = nil
        }
        if let staleness = context.notices.staleness { summary.notes.append(staleness) }
        if engineOptions.sample { summary.notes.append("samples, not live results") }
        context.status.note(rendered: summary.lines(on: context.status.terminal))
        if let note = outcome.filters.note { context.status.note(note) }
        for warning in outcome.filters.warnings { context.status.warning(warning) }
        if let note = outcome.filters.cutShortNote {
            context.status.note(note, hint: "the same command with --resume continues there")
        }
    }
}

extension ResumeNote {
    /// A line for display.
    fileprivate var text: String {
        switch self {
        case .noResumePoint(nil): "no resume point found; starting from the beginning"
        case .noResumePoint(let provider?): "no resume point found for \(provider); starting from the beginning"
        case .resuming(let provider, let page, let delivered, let mayRepeat):
            "resuming \(provider) at page \(page) (\(delivered.counted("image")) already delivered)"
                + (mayRepeat ? "; the last run was interrupted: images of this page may be printed twice" : "")
        case .filterChanged(let provider, let delivered):
            "the filter has changed since the last run: reading \(provider) from the start, without the "
                + "\(delivered.counted("image")) already delivered"
        case .limitReached(let provider, let delivered):
            "\(provider): limit reached (\(delivered.counted("image")) already delivered); a larger --limit continues"
        case .finished(let provider, let delivered):
            "\(provider) has no more images (\(delivered.counted("image")) already delivered)"
        case .scriptChanged(let provider): "the script of \(provider) has changed since the last run; resuming anyway"
        case .notKept(let error): "could not store the resume point: \(error)"
        }
    }
}
