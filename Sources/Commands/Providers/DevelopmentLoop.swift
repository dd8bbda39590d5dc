import ImgScript
import ProviderModel
import ProviderRuntime
import Synchronization

/// Runs a query with a provider's file, and again whenever the file, what it requires or its samples change.
struct DevelopmentLoop {
    let path: String
    let text: String
    let options: SearchOptions
    let isSample: Bool
    /// Whether responses are shown as a whole.
    let showsResponse: Bool
    /// The operation to run after the listing.
    let call: DevelopedOperation?
    /// The id of the item for it; nil for the first of the listing.
    let item: String?
    let steps: DevelopmentSteps
    let context: AppContext

    /// Runs until the process is interrupted.
    func run() async throws {
        let watcher = try FolderWatcher()
        var lastGood: Outcome?
        while true {
            let impact = TestImpact(paths: [path])
            try watcher.watch(impact.folders)
            let outcome = await outcome()
            try show(outcome, after: lastGood)
            if outcome.json != nil { lastGood = outcome }
            while case let changes = await watcher.nextChange(),
                !TestImpact(paths: [path]).paths(touchedBy: changes).contains(where: { !$0.hasSuffix(".test.js") })
            {}
        }
    }

    /// What came of one run.
    private struct Outcome {
        var items: [Item] = []
        var errors: [any Error] = []
        /// The items as JSON; nil after an error.
        var json: [JSONValue]? {
            errors.isEmpty ? items.compactMap { JSONValue.found(in: $0.contractJSON.description.utf8) } : nil
        }
    }

    private func outcome() async -> Outcome {
        var outcome = Outcome()
        do {
            let provider = try await context.engine.reloadedProvider(at: path)
            let hasSearch = provider.manifest.description(of: .search) != nil
            let listing: Listing =
                hasSearch && !(text.isEmpty && provider.manifest.description(of: .feed) != nil) ? .search(text) : .feed
            // An item that is named needs no listing.
            if item == nil || call == nil { await add(listing, of: provider, to: &outcome) }
            guard let call, outcome.errors.isEmpty else { return outcome }
            let item = try wanted(of: outcome.items, for: call, of: provider)
            switch call {
            case .details: outcome.items = [try await provider.details(of: item)]
            case .collection:
                outcome.items = []
                await add(.collection(item), of: provider, to: &outcome)
            }
        } catch {
            outcome.errors.append(error)
        }
        return outcome
    }

    private func add(_ listing: Listing, of provider: ScriptProvider, to outcome: inout Outcome) async {
        for await event in context.engine.events(of: listing, from: provider, options) {
            switch event {
            case .image(let item): outcome.items.append(item)
            case .failure(_, let error): outcome.errors.append(error)
            case .finished: break
            }
        }
    }

    /// The item that an operation is run for.
    private func wanted(
        of items: [Item], for call: DevelopedOperation, of provider: ScriptProvider
    ) throws -> Item {
        let kind = call == .collection ? Item.Kind.collection : .image
        if let item { return Item(provider: provider.manifest.id, id: item, type: kind) }
        if let found = items.first(where: { ($0.type == .collection) == (call == .collection) }) { return found }
        throw ProviderError(
            .unsupported, provider: provider.manifest.id.description,
            message: "the listing has no \(call == .collection ? "collection" : "image") (--item names one)")
    }

    private func show(_ outcome: Outcome, after lastGood: Outcome?) throws {
        let (events, console) = steps.take()
        let screen = DevelopmentScreen(
            terminal: context.terminal, isSample: isSample, showsResponse: showsResponse)
        if context.terminal.hasColors { try context.output.write(Array("\u{1b}[H\u{1b}[2J".utf8)) }
        for event in events { for line in screen.lines(of: event) { try context.printLine(line) } }
        for error in outcome.errors where (error as? EngineError)?.code != .dryRun {
            for line in screen.lines(of: error, in: path) { try context.printLine(line) }
        }
        for line in screen.lines(of: outcome.items) { try context.printLine(line) }
        // What worked stays beside what is broken.
        if outcome.json == nil, let lastGood {
            for line in screen.lines(of: lastGood.items, from: "the last run that worked") {
                try context.printLine(line)
            }
        }
        if !console.isEmpty {
            try context.printLine("\n" + context.terminal.paint("console", .bold))
            for line in console { try context.printLine("  " + TerminalText.line(line)) }
        }
        if let before = lastGood?.json, let after = outcome.json {
            for line in screen.lines(from: before, to: after) { try context.printLine(line) }
        }
        try context.printLine(
            "\n" + context.terminal.paint("watching \(TerminalText.line(path)); press Ctrl-C to stop", .dim))
        try context.output.flush()
    }
}

/// The steps of one run of a provider under development.
final class DevelopmentSteps: Sendable {
    private struct State {
        var events: [TraceEvent] = []
        var console: [String] = []
    }

    /// More lines than a screen shows are not read.
    private static let limit = 200

    private let state = Mutex(State())

    /// Takes a step.
    func add(_ event: TraceEvent) {
        state.withLock { if $0.events.count < Self.limit { $0.events.append(event) } }
    }

    /// Takes a line that the script logged.
    func add(console line: String) {
        state.withLock { if $0.console.count < Self.limit { $0.console.append(line) } }
    }

    /// The steps since the last call.
    func take() -> (events: [TraceEvent], console: [String]) {
        state.withLock { state in
            defer { state = State() }
            return (state.events, state.console)
        }
    }
}
