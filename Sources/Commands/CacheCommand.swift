import ArgumentParser
import HTTPCaching
import ImgScript

struct CacheCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "cache", abstract: "Shows, clears and checks the stored answers of sources.",
        subcommands: [Summary.self, List.self, Clear.self, Prune.self, Verify.self], defaultSubcommand: Summary.self)

    struct Summary: EngineCommand {
        static let configuration = CommandConfiguration(
            commandName: "info", abstract: "Prints how much is stored, for whom, and where.")

        @OptionGroup var options: LocalEngineOptions

        var engine: EngineOptions { options.engine }

        func run(in context: AppContext) async throws {
            let store = try context.engine.cacheStore()
            let summary = try store.summary()
            var table = KeyValueTable()
            table.add("Folder", TableCell(store.folder, .bold))
            table.add("Answers", TableCell(summary.entries.grouped))
            table.add("Pages kept", TableCell(summary.derivedValues.grouped))
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
            abstract: "Lists stored answers, those used last first; keys are no part of them.")

        @OptionGroup var which: CacheChoice
        @Option(
            name: [.customShort("n", allowingJoined: true), .long], within: SelectionOptions.limits,
            help: ArgumentHelp("The most answers.", valueName: "n"))
        var limit = 50
        @OptionGroup var options: LocalEngineOptions

        var engine: EngineOptions { options.engine }

        func run(in context: AppContext) async throws {
            let entries = try context.engine.cacheStore().list(which.filter, limit: limit)
            var table = ColumnTable(columns: [
                .init("Provider"), .init("Status"), .init("Size", alignment: .right), .init("Came"),
                .init("Good for"), .init("URL", cutTo: 30, isNeeded: true),
            ])
            for entry in entries {
                let left = entry.freshUntil - SystemTime.now
                table.add([
                    TableCell(entry.provider, .bold), TableCell("\(entry.status)"), TableCell(entry.bytes.inBytes),
                    TableCell(entry.receivedAt.ago, .dim),
                    left > 0 ? TableCell(Duration.seconds(left).inWords) : TableCell("stale", .warning),
                    TableCell(entry.url),
                ])
            }
            if entries.isEmpty { context.status.note("nothing is stored") }
            for line in table.lines(on: context.terminal) where !entries.isEmpty { try context.printLine(line) }
        }
    }

    struct Clear: EngineCommand {
        static let configuration = CommandConfiguration(abstract: "Removes stored answers: all, or those chosen.")

        @OptionGroup var which: CacheChoice
        @OptionGroup var options: LocalEngineOptions

        var engine: EngineOptions { options.engine }

        func run(in context: AppContext) async throws {
            let count = try context.engine.cacheStore().clear(which.filter)
            context.status.note("removed \(count.grouped) \(count == 1 ? "answer" : "answers")")
        }
    }

    struct Prune: EngineCommand {
        static let configuration = CommandConfiguration(
            abstract: "Removes answers that are stale or beyond the limit, and files that belong to none.")

        @OptionGroup var options: LocalEngineOptions

        var engine: EngineOptions { options.engine }

        func run(in context: AppContext) async throws {
            let report = try context.engine.cacheStore().prune()
            let freed = "freed \(report.bytesFreed.inBytes)"
            context.status.note(
                "removed \(report.expired.grouped) stale, \(report.evicted.grouped) beyond the limit, "
                    + "\(report.orphans.grouped) left-over files; \(freed)")
        }
    }

    struct Verify: EngineCommand {
        static let configuration = CommandConfiguration(
            abstract: "Reads every stored answer and puts right what is damaged.")

        @OptionGroup var options: LocalEngineOptions

        var engine: EngineOptions { options.engine }

        func run(in context: AppContext) async throws {
            let report = try context.engine.cacheStore().verify()
            for repair in report.repairs { context.status.warning(repair) }
            let result = report.isClean ? "all is well" : "\(report.repairs.count.grouped) repaired"
            let answers = report.checked == 1 ? "answer" : "answers"
            context.status.note("read \(report.checked.grouped) stored \(answers); \(result)")
        }
    }
}

/// Which stored answers a command is about.
struct CacheChoice: ParsableArguments {
    @Option(help: ArgumentHelp("Only those that this provider asked for.", valueName: "name"))
    var of: String?

    @Option(help: ArgumentHelp("Only those of this host.", valueName: "host"))
    var host: String?

    @Option(help: ArgumentHelp("Only those of this URL, whoever asked.", valueName: "url"))
    var url: String?

    func validate() throws {
        guard [of, host, url].compactMap(\.self).count <= 1 else {
            throw ValidationError("--of, --host and --url exclude each other.")
        }
    }

    var filter: CacheFilter {
        if let of { return .provider(of) }
        if let host { return .host(host) }
        return url.map { .url($0) } ?? .all
    }
}

extension Double {
    /// A time of day as how long ago it was: `3 min ago`.
    fileprivate var ago: String { "\(Duration.seconds(max(0, SystemTime.now - self)).inWords) ago" }
}

extension Int {
    /// A number of bytes: `512 B`, `8.1 KB`, `2.0 MB`.
    var inBytes: String {
        guard self >= 1_024 else { return "\(self) B" }
        var (size, unit) = (Double(self) / 1_024, "KB")
        for next in ["MB", "GB", "TB"] where size >= 1_024 { (size, unit) = (size / 1_024, next) }
        let tenths = Int((size * 10).rounded())
        return size < 100 ? "\(tenths / 10).\(tenths % 10) \(unit)" : "\(Int(size.rounded())) \(unit)"
    }
}
