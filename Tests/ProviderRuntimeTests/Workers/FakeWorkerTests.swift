import Glibc
import ProviderModel
import ProviderRuntime
import Synchronization
import TestSupport
import Testing
import WorkerProtocol

@Suite("An invalid worker executable is one error", .serialized)
struct FakeWorkerTests {
    @Test(
        arguments: [
            ("nothing, and the end", [], "exit 0", "the worker ended unexpectedly"),
            ("half a header", [9, 0], "exit 0", "the worker ended unexpectedly"),
            ("half a frame", [9, 0, 0, 0, 69, 1, 2], "exit 0", "the worker ended unexpectedly"),
            ("a crash", [], "kill -SEGV $$", "the script engine crashed (Segmentation fault)"),
            ("an unknown kind", [0, 0, 0, 0, 7], "exec sleep 30", "the worker sent message kind 7"),
            (
                "a message without its fields", [0, 0, 0, 0, 70], "exec sleep 30",
                "the worker sent a message that ends too early"
            ),
            (
                "bytes after the end", [3, 0, 0, 0, 68, 0, 1, 2], "exec sleep 30",
                "the worker sent 2 bytes after the end of a message"
            ),
            (
                "a frame of 4 GB", [255, 255, 255, 255, 69], "exec sleep 30",
                "the worker sent a message of 4294967295 bytes"
            ),
            (
                "a frame beyond the step's bytes", [0, 0, 32, 0, 69], "exec sleep 30",
                "the worker sent more than 1 MB in one step"
            ),
            (
                "text that is not UTF-8", [3, 0, 0, 0, 67, 1, 255, 0], "exec sleep 30",
                "the worker sent text that is not UTF-8"
            ),
            (
                "ready again", [2, 0, 0, 0, 65, UInt8(2 * FrameHeader.version), 0], "exec sleep 30",
                "the worker sent ready twice"
            ),
            ("requests in reply to load", [1, 0, 0, 0, 68, 0], "exec sleep 30", "the worker sent no reply to load"),
        ] as [(String, [UInt8], String, String)])
    func wrongReplyIsAFaultOfTheWorker(_ name: String, _ bytes: [UInt8], _ afterwards: String, _ message: String) async
    {
        let error = await fault(of: FakeWorker(sending: bytes, then: afterwards))
        #expect(error?.code == .worker)
        #expect(error?.message == message)
    }

    @Test func workerThatIsNeverReadyIsReportedAsThat() async {
        let start = ContinuousClock.now
        let error = await fault(of: FakeWorker(sending: [], isReady: false))
        #expect(ContinuousClock.now - start < .seconds(3) + TimeTolerance.default)
        #expect(error?.code == .worker && error?.message == "the worker was not ready within 3 s")
    }

    @Test func silenceEndsAtTheDeadline() async {
        #expect(await faultInTime(of: FakeWorker(sending: []))?.code == .timeout)
    }

    @Test func frameThatStopsHalfwayEndsAtTheDeadline() async {
        #expect(await faultInTime(of: FakeWorker(sending: [9, 0, 0, 0, 69, 1]))?.code == .timeout)
    }

    @Test func frameThatDribblesEndsAtTheDeadline() async {
        let dribble = "while :; do /usr/bin/printf x; sleep 0.02; done"
        #expect(await faultInTime(of: FakeWorker(sending: [0, 16, 0, 0, 69], then: dribble))?.code == .timeout)
    }

    @Test func workerThatDoesNotReadEndsAtTheDeadline() async {
        let worker = FakeWorker(sending: [], afterReading: false)
        let error = await faultInTime(of: worker, source: String(repeating: "x", count: 2 << 20))
        #expect(error?.code == .timeout)
    }

    @Test func hostSurvivesAWorkerThatClosesItsInput() async {
        let worker = FakeWorker(sending: [], then: "exec 0<&-; exec sleep 30", afterReading: false)
        let error = await faultInTime(of: worker, source: String(repeating: "x", count: 2 << 20))
        #expect(error?.code == .worker || error?.code == .timeout)
    }

    @Test func linesWithoutEndAreOverTheLimitOrCut() async {
        let lines = Mutex(0)
        let line = WorkerMessage.log(level: .info, text: String(repeating: "x", count: 40)).frame
        let worker = FakeWorker(
            sending: Array(repeatElement(line, count: 200).joined()), then: "while :; do cat bytes; done")
        var settings = worker.settings
        settings.log = { _ in lines.withLock { $0 += 1 } }
        let error = await fault(of: worker, settings: settings)
        #expect(error?.message == "the worker sent more than 1000 messages in one step")
        #expect(lines.withLock { $0 } <= 1_000)
    }

    @Test func anotherVersionIsNamed() async {
        var status = WorkerStatus(sandbox: [])
        status.version = 99
        let frame = WorkerMessage.ready(status).frame
        // Instead of the reply: the same error as in its place.
        #expect(
            await fault(of: FakeWorker(sending: frame))?.message
                == "the worker sent protocol version 99, expected \(FrameHeader.version)")
    }

    @Test(arguments: 0..<25)
    func randomBytesAreOneFault(_ seed: UInt64) async {
        var generator = SeededGenerator(seed: seed)
        let bytes = (0..<400).map { index in
            // Lengths that can be, so that more than the header is looked at.
            index < 4
                ? [UInt8.random(in: 0...100, using: &generator), 0, 0, 0][index]
                : UInt8.random(in: 0...255, using: &generator)
        }
        let error = await faultInTime(of: FakeWorker(sending: bytes))
        #expect(error?.code == .worker || error?.code == .timeout)
    }

    /// Loads a provider with the fake; what says nothing more is given up after less than a second.
    private func faultInTime(of worker: FakeWorker, source: String = "") async -> ProviderError? {
        var settings = worker.settings
        settings.deadline = .milliseconds(300)
        return await fault(of: worker, source: source, settings: settings)
    }

    /// Loads a provider with the fake; the error has to come in time.
    private func fault(of worker: FakeWorker, source: String = "", settings: WorkerSettings? = nil) async
        -> ProviderError?
    {
        let settings = settings ?? worker.settings
        let pool = WorkerPool(settings: settings)
        let start = ContinuousClock.now
        let error = await #expect(throws: ProviderError.self) {
            try await pool.load(ScriptSource(file: "a.js", text: source), as: "a")
        }
        #expect(ContinuousClock.now - start < settings.deadline + TimeTolerance.default)
        #expect(error?.provider == "a")
        #expect(error?.location?.file == "a.js")
        await pool.close()
        return error
    }
}

/// A program that claims to be a worker and sends given messages.
final class FakeWorker: Sendable {
    private let temporary = TemporaryFolder()

    private var folder: String { temporary.path }

    /// Sends `bytes`, then does what `afterwards` says in shell words.
    init(
        sending bytes: [UInt8], then afterwards: String = "exec sleep 30", afterReading: Bool = true,
        isReady: Bool = true
    ) {
        let ready = !isReady ? [] : WorkerMessage.ready(WorkerStatus(sandbox: [])).frame
        Self.write(ready, to: folder + "/ready")
        Self.write(bytes, to: folder + "/bytes")
        // The environment is empty, so that tools have to be named in full.
        let wait = afterReading ? "/usr/bin/head -c 1 > /dev/null" : ":"
        let script =
            "#!/bin/sh\ncd \(folder)\n/bin/cat ready\n\(wait)\n/bin/cat bytes\nPATH=/usr/bin:/bin\n\(afterwards)\n"
        Self.write(Array(script.utf8), to: folder + "/worker")
        chmod(folder + "/worker", 0o700)
    }

    /// Bounds that name it as the worker, with a deadline that nothing passes which is said at once.
    var settings: WorkerSettings {
        var settings = WorkerSettings(executable: folder + "/worker")
        settings.deadline = .seconds(60)
        settings.replyBytes = 1 << 20
        return settings
    }

    private static func write(_ bytes: [UInt8], to path: String) {
        // No process that is started meanwhile may hold the program open: it could not be run then.
        guard let file = fopen(path, "we") else { return }
        fwrite(bytes, 1, bytes.count, file)
        fclose(file)
    }
}
