import ArgumentParser
import HTTPCaching
import ImgScript
import ProviderModel

struct CacheCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "cache", abstract: "Inspect, clear and verify the cache",
        subcommands: [Summary.self, List.self, Clear.self, Prune.self, Verify.self], defaultSubcommand: Summary.self)

    struct Summary: EngineCommand {
        static let configuration = CommandConfiguration(
            commandName: "info", abstract: "Show the size of the cache by provider and host")

        @OptionGroup var options: LocalEngineOptions

        var engine: EngineOptions { options.engine }

        func run(in context: AppContext) async throws {
            let store = try context.engine.cacheStore()
            let summary = try store.summary()
            var table = Table()
            table.add("Folder", TableCell(store.folder, .bold))
            table.add("Responses", TableCell(summary.entries.grouped))
            table.add("Parsed", TableCell("\(summary.derivedValues.grouped) pages and manifests"))
            table.add("Size", TableCell("\(summary.bytes.inBytes) of \(summary.limit.inBytes)"))
            table.add("Oldest", summary.oldest.map { TableCell($0.ago) })
            table.add("Newest", summary.newest.map { TableCell($0.ago) })
            table.add("Providers", values: summary.providers.prefix(12).map(Self.cell))
            table.add("Hosts", values: summary.hosts.prefix(12).map(Self.cell))
            try context.print(table.lines(on: context.terminal))
        }

        private static func cell(_ share: CacheSummary.Share) -> TableCell {
            TableCell("\(share.name) \(share.entries.grouped) (\(share.bytes.inBytes))")
        }
    }

    struct List: EngineCommand {
        static let configuration = CommandConfiguration(
            commandName: "list", abstract: "List cached responses, the last used first; keys are not stored")

        @OptionGroup var which: CacheChoice
        @Option(
            name: .limit, within: SelectionOptions.limits,
            help: ArgumentHelp("maximum number of responses", valueName: "n"))
        var limit = 50
        @OptionGroup var options: LocalEngineOptions

        var engine: EngineOptions { options.engine }

        func run(in context: AppContext) async throws {
            let entries = try context.engine.cacheStore().list(which.filter, limit: limit)
            var table = Table(columns: [
                .init("Provider"), .init("Status"), .init("Size", alignment: .right), .init("Received"),
                .init("Fresh for"), .init("URL", .below),
            ])
            for entry in entries {
                let left = entry.freshUntil - WallClock.now
                table.add([
                    TableCell(entry.provider, .bold), TableCell("\(entry.status)"), TableCell(entry.bytes.inBytes),
                    TableCell(entry.receivedAt.ago, .dim),
                    left > 0 ? TableCell(Duration.seconds(left).inWords) : TableCell("stale", .warning),
                    TableCell(entry.url),
                ])
            }
            if entries.isEmpty { return context.status.note("the cache is empty") }
            try context.print(table.lines(on: context.terminal))
        }
    }

    struct Clear: EngineCommand {
        static let configuration = CommandConfiguration(commandName: "clear", abstract: "Remove cached responses")

        @OptionGroup var which: CacheChoice
        @OptionGroup var options: LocalEngineOptions

        var engine: EngineOptions { options.engine }

        func run(in context: AppContext) async throws {
            let store = try context.engine.cacheStore()
            let count = try store.clear(which.filter)
            if count == 0, let name = which.of {
                let nearest = name.suggestion(among: try store.summary().providers.map(\.name))
                return context.status.note("no cached responses of \"\(name)\"\(nearest)")
            }
            context.status.note("removed \(count.grouped) \(count == 1 ? "response" : "responses")")
        }
    }

    struct Prune: EngineCommand {
        static let configuration = CommandConfiguration(
            commandName: "prune", abstract: "Remove stale responses, those over the size limit, and orphaned files")

        @OptionGroup var options: LocalEngineOptions

        var engine: EngineOptions { options.engine }

        func run(in context: AppContext) async throws {
            let report = try context.engine.cacheStore().prune()
            let freed = "freed \(report.bytesFreed.inBytes)"
            context.status.note(
                "removed \(report.expired.grouped) stale, \(report.evicted.grouped) over the limit, "
                    + "\(report.orphans.grouped) orphaned files; \(freed)")
        }
    }

    struct Verify: EngineCommand {
        static let configuration = CommandConfiguration(
            commandName: "verify", abstract: "Check every cached response, and remove damaged ones")

        @OptionGroup var options: LocalEngineOptions

        var engine: EngineOptions { options.engine }

        func run(in context: AppContext) async throws {
            let report = try context.engine.cacheStore().verify()
            for repair in report.repairs { context.status.warning(repair) }
            let result = report.isClean ? "no damage" : "\(report.repairs.count.grouped) repaired"
            let responses = report.checked == 1 ? "response" : "responses"
            context.status.note("checked \(report.checked.grouped) cached \(responses): \(result)")
        }
    }
}

/// The cached responses that a command is about.
struct CacheChoice: ParsableArguments {
    @Option(help: ArgumentHelp("only responses to this provider", valueName: "name"), completion: .providers)
    var of: String?

    @Option(help: ArgumentHelp("only responses from this host", valueName: "host"))
    var host: String?

    @Option(help: ArgumentHelp("only responses from this URL", valueName: "url"))
    var url: String?

    func validate() throws {
        let given = [("--of", of), ("--host", host), ("--url", url)].filter { $0.1 != nil }.map(\.0)
        guard given.count <= 1 else { throw ValidationError.exclusive(given) }
    }

    var filter: CacheFilter {
        if let of { return .provider(of) }
        if let host { return .host(host) }
        return url.map { .url($0) } ?? .all
    }
}

extension Double {
    /// A time of day as how long ago it was: `3 min ago`.
    fileprivate var ago: String { "\(Duration.seconds(max(0, WallClock.now - self)).inWords) ago" }
}
