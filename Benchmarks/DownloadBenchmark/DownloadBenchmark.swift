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
        // Past a file size limit, write(2) returns EFBIG instead of the signal ending the process.
        signal(SIGXFSZ, SIG_IGN)
        guard CommandLine.arguments.count >= 3 else {
            complain(usage)
            exit(64)
        }
        do {
            let part = try option("--shard").map { try InputPart($0) }
            let requests = URLList(path: CommandLine.arguments[1]).filter { part?.contains($0.media.url) ?? true }
            let events = DownloadEvents(isRead: true)
            let queue = try queue(events)
            let isVerbose = has("--verbose")
            let telling = Task {
                while case let batch = await events.next(), !batch.isEmpty {
                    for event in batch { tell(event, isVerbose) }
                }
            }
            var failure: (any Error)?
            do {
                try await queue.run { add in
                    for await request in requests { guard try await add([request]) else { break } }
                }
            } catch { failure = error }
            events.finish()
            await telling.value
            if let failure { throw failure }
            let summary = events.tally
            print(
                "finished \(summary.finished) skipped \(summary.skipped) failed \(summary.failed) bytes \(summary.bytes)"
            )
            exit(summary.failed > 0 ? 1 : 0)
        } catch {
            complain("\(error)")
            exit(1)
        }
    }

    private static func queue(_ events: DownloadEvents) throws -> DownloadQueue {
        var options = DownloadOptions()
        options.name = option("--name") ?? "{name}.{ext}"
        options.jobs = number("--jobs")
        options.jobsPerHost = number("--per-host")
        options.maximumRate = number("--rate")
        options.duplicates = option("--dedupe").flatMap { DownloadOptions.Duplicates(rawValue: $0) } ?? .keep
        options.fetch.takesAnyContent = has("--any")
        options.fetch.partLimit = number("--parts") ?? options.fetch.partLimit
        var transport = TransportSettings(version: "1.0.0")
        transport.allowedHosts = try AllowedHosts(["127.0.0.1", "localhost"])
        transport.connectionsPerHost = options.jobLimit
        transport.trust.extraFile = option("--ca-file")
        let curl = CurlTransport(settings: transport)
        return try DownloadQueue(
            try target(), options: options,
            transport: RedirectingTransport(over: curl, deadline: options.fetch.deadline), events: events,
            now: { time(nil) })
    }

    private static func target() throws -> DownloadQueue.Target {
        let path = CommandLine.arguments[2]
        let folder = try DownloadFolder(path: path)
        let size = try option("--webdataset").map { try ShardSize($0) }
        var target = DownloadQueue.Target(
            try size.map { try ShardStore(folder: folder, limit: $0, now: { time(nil) }) } ?? FolderStore(folder))
        if has("--write-metadata") { target.metadata = try MetadataWriter() }
        if has("--sidecar") { target.sidecars = SidecarWriter(folder: folder, now: { time(nil) }) }
        let database = try DownloadArchive.open(option("--archive") ?? path + "/.archive.sqlite")
        if !has("--no-archive") { target.archive = DownloadArchive(database) }
        if has("--credits") {
            target.credits = try CreditLedger(folder: folder, formats: CreditFormat.allCases, in: database)
        }
        return target
    }

    private static func tell(_ event: DownloadEvent, _ isVerbose: Bool) {
        switch event {
        case .failed(let error): complain("\(error)")
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
