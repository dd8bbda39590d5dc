import Downloads
import Glibc
import HTTPTransport

/// Downloads the URLs of a list: for measurements, and for tests that kill a process.
@main
enum DownloadBenchmark {
    private static let usage = """
        usage: download-benchmark LIST FOLDER [--jobs N] [--per-host N] [--parts N] [--rate BYTES] [--name TEMPLATE]
               [--archive FILE | --no-archive] [--dedupe keep|link|skip] [--any] [--ca-file FILE] [--verbose]
               [--sidecar] [--credits] [--write-metadata] [--webdataset SIZE] [--shard I/N]
        """

    static func main() async {
        // A file that may not grow is an error to be told, not an end without a word.
        signal(SIGXFSZ, SIG_IGN)
        guard CommandLine.arguments.count >= 3 else {
            complain(usage)
            exit(64)
        }
        do {
            let part = try option("--shard").map { try InputPart($0) }
            let requests = URLList(path: CommandLine.arguments[1]).filter { part?.contains($0) ?? true }
            let summary = try await queue().run(requests)
            print(
                "finished \(summary.finished) skipped \(summary.skipped) failed \(summary.failed) bytes \(summary.bytes)"
            )
            exit(summary.failed > 0 ? 1 : 0)
        } catch {
            complain("\(error)")
            exit(1)
        }
    }

    private static func queue() throws -> DownloadQueue {
        let jobs = number("--jobs")
        var transport = TransportSettings(version: "1.0.0")
        transport.allowedHosts = try AllowedHosts(["127.0.0.1", "localhost"])
        transport.connectionsPerHost = jobs ?? QueueSettings.automaticLimit
        transport.trust.extraFile = option("--ca-file")
        let curl = CurlTransport(settings: transport)
        var settings = QueueSettings()
        settings.jobs = jobs.map { .fixed($0) } ?? .automatic
        settings.jobsPerHost = number("--per-host")
        settings.maximumRate = number("--rate")
        settings.duplicates = option("--dedupe").flatMap { QueueSettings.Duplicates(rawValue: $0) } ?? .keep
        settings.fetch.takesAnyContent = has("--any")
        settings.fetch.partLimit = number("--parts") ?? settings.fetch.partLimit
        let folder = CommandLine.arguments[2]
        let target = try DownloadFolder(path: folder)
        let (store, companions) = try places(in: target)
        let archive =
            has("--no-archive") ? nil : try DownloadArchive(path: option("--archive") ?? folder + "/.archive.sqlite")
        let isVerbose = has("--verbose")
        return DownloadQueue(
            planner: DownloadPlanner(template: try NameTemplate(option("--name") ?? "{name}.{ext}")),
            transport: RedirectingTransport(over: curl, deadline: settings.fetch.deadline),
            store: store, archive: archive, companions: companions, settings: settings, executors: curl.executors,
            now: { time(nil) },
            observer: { tell($0, isVerbose) })
    }

    private static func places(in folder: DownloadFolder) throws -> (any DownloadStore, [any DownloadPostprocessor]) {
        var companions: [any DownloadPostprocessor] = []
        if has("--write-metadata") { companions.append(try MetadataWriter()) }
        if has("--sidecar") { companions.append(SidecarWriter(folder: folder, now: { time(nil) })) }
        if has("--credits") { companions.append(try CreditLedger(folder: folder, formats: CreditFormat.allCases)) }
        guard let size = option("--webdataset") else { return (FolderStore(folder), companions) }
        let shards = try ShardStore(folder: folder, limit: try ShardSize(size), now: { time(nil) })
        return (shards, companions + [shards])
    }

    private static func tell(_ event: DownloadEvent, _ isVerbose: Bool) {
        switch event {
        case .failed(_, let error): complain("\(error)")
        case .skipped(let key, let reason) where isVerbose: complain("\(key): \(reason)")
        case .finished(let file) where isVerbose: complain(file.path)
        default: break
        }
    }

    private static func has(_ name: String) -> Bool { CommandLine.arguments.contains(name) }

    private static func option(_ name: String) -> String? {
        let arguments = CommandLine.arguments
        guard let place = arguments.firstIndex(of: name), place + 1 < arguments.count else { return nil }
        return arguments[place + 1]
    }

    private static func number(_ name: String) -> Int? { option(name).flatMap { Int($0) } }

    private static func complain(_ text: String) {
        let bytes = Array((text + "\n").utf8)
        _ = write(2, bytes, bytes.count)
    }
}
