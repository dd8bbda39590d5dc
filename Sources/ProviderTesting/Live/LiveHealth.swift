import HTTPTransport
import ProviderModel
import ProviderRuntime

/// Asks a source the few things that its provider's conformance names: a search, its next page, details, one file.
package enum LiveHealth {
    /// Checks one source; the structure of its responses is compared with the recorded ones.
    package static func check(
        _ file: ProviderFile, _ settings: TestSettings, _ service: LiveService
    ) async -> SourceCheck {
        let pack = file.pack
        var check = SourceCheck(
            of: ProviderVersion(provider: "", pack: pack?.name, packVersion: pack?.version), listing: .search)
        let suite = await ConformanceSubject.withSubject(file, settings, named: file.id.description, isLive: true) {
            subject, _ in
            let live = try await LiveSubject(subject, service)
            var run = HealthRun(live)
            await run.askAll()
            check = run.check
        }
        // A file that cannot be used is no fault of the source.
        if let fault = suite.cases.first?.problems.first { check.outcome = .unchecked(fault.message) }
        return check
    }
}

/// The check of one source.
private struct HealthRun {
    let live: LiveSubject
    var check: SourceCheck

    private var subject: ConformanceSubject { live.subject }

    init(_ live: LiveSubject) {
        self.live = live
        check = SourceCheck(of: ProviderVersion(of: live.provider), listing: live.search == nil ? .feed : .search)
    }

    /// Asks one thing after the other, as long as the source can be asked.
    mutating func askAll() async {
        guard let call = live.search ?? live.feed else {
            check.outcome = .unchecked("it has neither a search nor a feed")
            return
        }
        if let instance = live.provider.manifest.instance, instance.default == nil, subject.settings.instance == nil {
            check.outcome = .unchecked("it runs on many servers, and none is named")
            return
        }
        let items = await askListing(call)
        guard !items.isEmpty else { return }
        await askDetails(of: items)
        await askFile(of: items)
    }

    /// The items of the first two pages.
    private mutating func askListing(_ call: ProviderCall) async -> [Item] {
        var captures: [CallCapture] = []
        let walk = await ListingWalk(of: call, in: live.provider.manifest, most: 2) { call in
            let capture = await live.ask(call)
            captures.append(capture)
            return capture.result
        }
        let part = check.listing
        guard let first = walk.pages.first else {
            if let error = walk.error { note(error, at: part) }
            return []
        }
        guard !first.items.isEmpty else {
            check.faults.append(.init(part, "no images for \(call)"))
            return []
        }
        check.works.append(part)
        if let error = walk.error {
            note(error, at: .nextPage)
        } else if walk.pages.count > 1 {
            check.works.append(.nextPage)
        } else if subject.walks.contains(where: { $0.call == call && $0.pages.count > 1 }) {
            check.faults.append(.init(.nextPage, "the listing ends after its first page"))
        }
        if let capture = captures.first { await compare(capture, of: call) }
        return walk.pages.flatMap(\.items)
    }

    /// Details of the item that was recorded, else, where the source has it no more, of one that it has just listed.
    private mutating func askDetails(of items: [Item]) async {
        guard live.provider.manifest.description(of: .details) != nil else { return }
        let listed = items.first { $0.type == .image }.map { ProviderCall(.details($0)) }
        guard let call = live.details(after: items) else { return }
        var capture = await live.ask(call)
        if case .failure(let error) = capture.result, (error as? ProviderError)?.code == .notFound, let listed {
            capture = await live.ask(listed)
        }
        if case .failure(let error) = capture.result { note(error, at: .details) } else { check.works.append(.details) }
    }

    /// The smallest file of the first image that has one.
    private mutating func askFile(of items: [Item]) async {
        guard let load = live.service.loadFile else { return }
        let roles: [Media.Role] = [.thumbnail, .small, .regular, .large, .original]
        let files = items.lazy.compactMap { item in
            let pictures = item.media.filter { $0.kind == .image }
            return (roles.lazy.compactMap { role in pictures.first { $0.role == role } }.first).map { ($0, item) }
        }
        guard let (first, item) = files.first else { return }
        var media = first
        // What is only looked at may be smaller than what was listed.
        (media.width, media.height) = (nil, nil)
        do {
            try await load(media, item)
            check.works.append(.file)
        } catch { note(error, at: .file) }
    }

    /// Compares a page with the recorded one: what is gone and was read is a fault.
    private mutating func compare(_ capture: CallCapture, of call: ProviderCall) async {
        guard let known = subject.recorded.first(where: { $0.call == call }) else { return }
        let findings = await ProviderDrift.findings(from: known, to: capture, on: subject)
        let lost = findings.filter { $0.change.isLoss && !$0.fields.isEmpty }
        if lost.isEmpty { return check.works.append(.structure) }
        check.faults += lost.map {
            .init(.structure, "\($0.change); it breaks \($0.fields.joined(separator: ", "))")
        }
    }

    /// Files an error under what it says of the source; what does not concern its responses counts for the listing alone.
    private mutating func note(_ error: any Error, at part: SourceStatus.Part) {
        let message = (error as? ProviderError)?.message ?? (error as? TransportError)?.message ?? "\(error)"
        let outcome: SourceCheck.Outcome
        switch ((error as? ProviderError)?.code, (error as? TransportError)?.code) {
        case (.auth?, _), (.rate?, _), (.blocked?, _), (.unsupported?, _), (.timeout?, _), (.memory?, _), (.worker?, _),
            (.provider?, _), (.file?, _):
            outcome = .unchecked(message)
        case (_, .refusedHost?): outcome = .answered  // a file at a host that the provider does not know
        case (.transport?, _), (_, .some): outcome = .unreachable(message)
        default: outcome = .answered
        }
        if outcome == .answered {
            check.faults.append(.init(part, message))
        } else if part == check.listing {
            check.outcome = outcome
        }
    }
}
