import ImgScript
import ProviderModel
import Synchronization

/// A JSON object per line for each event, for programs.
final class JSONDownloadView: DownloadView {
    let showsTotal = true
    private let output: TextOutput
    private let outputClosed: @Sendable (any Error) -> Void
    private let active = Mutex<[MediaKey: DownloadMeter]>([:])
    private let speed = Mutex(SpeedMeter())

    init(output: TextOutput, outputClosed: @escaping @Sendable (any Error) -> Void) {
        self.output = output
        self.outputClosed = outputClosed
    }

    func show(_ event: DownloadEvent, _ tally: DownloadTally) {
        switch event {
        case .started(let file, let meter):
            active.withLock { $0[file.key] = meter }
            write("started") { $0.planned(file) }
        case .finished(let file):
            active.withLock { _ = $0.removeValue(forKey: file.key) }
            write("finished") { $0.saved(file) }
        case .skipped(let key, let reason):
            active.withLock { _ = $0.removeValue(forKey: key) }
            write("skipped") { json in
                json.member("key", key.description)
                json.member("reason", reason.code)
                json.member("path", reason.path)
            }
        case .failed(let failure):
            if let subject = failure.subject {
                active.withLock { $0 = $0.filter { !$0.key.description.hasPrefix("\(subject):") } }
            }
            write("failed") { $0.failure(failure) }
        case .commandEnded(let result):
            write("command-ended") { json in
                json.member("path", result.path)
                json.member("output", result.output)
                json.member("error", result.failure)
            }
        case .bundled(let result):
            write("bundled") { json in
                json.member("path", result.path)
                json.member("files", result.failure == nil ? result.files : nil)
                json.member("error", result.failure?.message)
            }
        case .leftOut(let kind, let count):
            write("left-out") { json in
                json.member("kind", kind.rawValue)
                json.member("count", count)
            }
        case .excluded(let exclusion, let count):
            write("excluded") { json in
                json.member("reason", exclusion.rawValue)
                json.member("count", count)
            }
        case .inputEnded(let count): write("input-ended") { $0.member("count", count) }
        case .planned, .collection: break
        }
    }

    func run(_ tally: @escaping @Sendable () -> DownloadTally) async {
        // Cancellation ends the loop.
        while (try? await Task.sleep(for: .seconds(1))) != nil { writeProgress(tally()) }
    }

    /// The last line, with the result.
    func finish(_ tally: DownloadTally, elapsed: Duration, wasStopped: Bool) {
        write("summary") { json in
            json.member("finished", tally.finished)
            json.member("skipped", tally.skipped)
            json.member("failed", tally.failed)
            json.member("failedBefore", tally.failedBefore)
            json.member("bytes", tally.bytes)
            json.member("seconds", (elapsed / .milliseconds(1)).rounded() / 1_000)
            json.name("stopped")
            json.value(wasStopped)
        }
    }

    private func writeProgress(_ tally: DownloadTally) {
        let meters = active.withLock { $0.map { ($0.key.description, $0.value.bytes, $0.value.length) } }
        let bytes = meters.reduce(tally.bytes) { $0 + $1.1 }
        let rate = speed.withLock { $0.add(bytes, at: .now) }
        write("progress") { json in
            json.member("done", tally.done)
            json.member("expected", tally.expected)
            json.member("bytes", bytes)
            json.member("bytesPerSecond", rate.map { Int($0) })
            json.name("active")
            json.array(meters) { json, meter in
                json.object { json in
                    json.member("key", meter.0)
                    json.member("bytes", meter.1)
                    json.member("length", meter.2)
                }
            }
        }
    }

    private func write(_ event: String, _ members: (inout JSONWriter) -> Void) {
        var json = JSONWriter()
        json.object { json in
            json.member("event", event)
            members(&json)
        }
        do {
            try output.write(json.bytes + [UInt8(ascii: "\n")])
            try output.flush()
        } catch { outputClosed(error) }
    }
}

extension JSONWriter {
    /// The members for a file that is to be fetched.
    mutating func planned(_ file: PlannedFile) {
        member("key", file.key.description)
        member("path", file.path)
        member("url", file.url)
    }

    fileprivate mutating func saved(_ file: FinishedFile) {
        member("key", file.key.description)
        member("path", file.path)
        member("url", file.url)
        member("bytes", file.bytes)
        member("sha256", file.sha256?.hexadecimal)
        member("format", file.format)
        member("width", file.size?.width)
        member("height", file.size?.height)
        if file.isLinked {
            name("linked")
            value(true)
        }
        if let other = file.nearDuplicate {
            name("nearDuplicate")
            object { json in
                json.member("path", other.path)
                json.member("distance", other.distance)
            }
        }
        if !file.notes.isEmpty {
            name("notes")
            array(file.notes) { $0.value($1) }
        }
    }

    fileprivate mutating func failure(_ failure: DownloadError) {
        member("subject", failure.subject)
        member("place", failure.place)
        member("code", failure.code.rawValue)
        member("status", failure.status)
        member("message", failure.message)
    }
}
