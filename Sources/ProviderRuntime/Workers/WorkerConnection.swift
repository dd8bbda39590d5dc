import Dispatch
import ProviderModel
import Synchronization
import WorkerProtocol

/// A worker from its start to its end: one message at a time goes there, and its reply comes back.
///
/// Its methods block a thread of its own and none of the Swift runtime's: a script that runs to its deadline holds up
/// nobody but those who wait for this worker.
actor WorkerConnection {
    /// What is done with messages that come before a reply.
    struct Handlers: Sendable {
        var module: @Sendable (String) throws(ModuleNotFound) -> String
        var log: @Sendable (WorkerMessage.LogLevel, String) -> Void

        /// For messages that run no script of a stranger.
        static let none = Handlers(
            module: { path throws(ModuleNotFound) in throw ModuleNotFound("\(path) is not available") },
            log: { _, _ in })
    }

    private enum State {
        /// The process was started, and has not said that it is ready.
        case starting(WorkerProcess)
        case ready(WorkerProcess)
        case ended(WorkerError)
    }

    nonisolated private let executor = QueueExecutor()
    private let settings: WorkerSettings
    private var state: State
    private var isCounting = false
    /// Calls that wait for their turn.
    nonisolated let waitingCalls = Atomic(0)

    nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    /// Starts the process, without waiting until it is ready.
    init(settings: WorkerSettings) {
        self.settings = settings
        do throws(WorkerError) {
            state = .starting(try WorkerProcess(executable: settings.executable, memory: settings.memory))
        } catch {
            state = .ended(error)
        }
    }

    /// Sends an encoded call and waits for its reply, ahead of the answers that wait: what the call asks for is then on
    /// its way while the script reads what has come.
    nonisolated func call(_ frame: [UInt8], handlers: Handlers) async throws(WorkerError) -> WorkerMessage {
        waitingCalls.add(1, ordering: .relaxed)
        return try await exchangeNow(frame, handlers)
    }

    private func exchangeNow(_ frame: [UInt8], _ handlers: Handlers) throws(WorkerError) -> WorkerMessage {
        waitingCalls.subtract(1, ordering: .relaxed)
        return try exchange(frame, handlers: handlers)
    }

    /// Sends encoded answers to what a call asked for, and waits for its reply.
    func answer(_ frame: [UInt8], handlers: Handlers) async throws(WorkerError) -> WorkerMessage {
        while waitingCalls.load(ordering: .relaxed) > 0 { await Task.yield() }
        return try exchange(frame, handlers: handlers)
    }

    /// Sends an encoded message and waits for its reply.
    func exchange(_ frame: [UInt8], handlers: Handlers) throws(WorkerError) -> WorkerMessage {
        let process = try readyProcess()
        do throws(WorkerError) {
            return try exchange(frame, with: process, handlers)
        } catch {
            throw end(process, because: error)
        }
    }

    /// Sends an encoded message that has no reply; a worker that does not take it is ended.
    func send(_ frame: [UInt8]) {
        guard case .ready(let process) = state else { return }
        process.beginStep(deadline: .now + settings.deadline, byteLimit: 0)
        do throws(WorkerError) { try process.send(frame) } catch { _ = end(process, because: error) }
    }

    /// Hands on what the worker has counted, and ends it.
    func close() {
        collectCoverage()
        switch state {
        case .starting(let process), .ready(let process):
            process.kill()
            state = .ended(.exited(signal: nil))
        case .ended: break
        }
    }

    // MARK: Messages

    /// The process once it is ready; throws why there is none.
    private func readyProcess() throws(WorkerError) -> WorkerProcess {
        switch state {
        case .ended(let error): throw error
        case .ready(let process): return process
        case .starting(let process):
            do throws(WorkerError) {
                try awaitReady(process)
                try beginCoverage(in: process)
            } catch {
                throw end(process, because: error)
            }
            state = .ready(process)
            return process
        }
    }

    /// Reads the worker's first message, which says that its sandbox is on.
    private func awaitReady(_ process: WorkerProcess) throws(WorkerError) {
        // Starting is not the script's time; a loaded machine may take a while.
        process.beginStep(deadline: .now + .seconds(10), byteLimit: 1 << 16)
        switch try receive(from: process) {
        case .ready: return
        case .failed(let error): throw .notSandboxed(error.message)
        default: throw .protocolViolation(.malformed("another message than ready"))
        }
    }

    private func exchange(
        _ frame: [UInt8], with process: WorkerProcess, _ handlers: Handlers
    ) throws(WorkerError) -> WorkerMessage {
        process.beginStep(
            deadline: .now + settings.deadline + WorkerSettings.grace, byteLimit: settings.replyBytes)
        try process.send(frame)
        for _ in 0..<WorkerSettings.replyMessages {
            let reply = try receive(from: process)
            switch reply {
            case .log(let level, let text): handlers.log(level, text)
            case .moduleNeeded(let file, _):
                try process.send(HostMessage.module(Self.module(file, handlers)).frame)
            case .ready: throw .protocolViolation(.malformed("ready twice"))
            case .loaded, .requests, .finished, .failed, .testsFound, .asked, .tested, .covered: return reply
            }
        }
        throw .messageLimit(messages: WorkerSettings.replyMessages)
    }

    private func receive(from process: WorkerProcess) throws(WorkerError) -> WorkerMessage {
        let (kind, payload) = try process.receive()
        do throws(WireError) {
            return try WorkerMessage(kind: kind, payload: payload)
        } catch {
            throw .protocolViolation(error)
        }
    }

    private static func module(_ file: String, _ handlers: Handlers) -> HostMessage.ModuleReply {
        do throws(ModuleNotFound) { return .source(file: file, text: try handlers.module(file)) } catch {
            return .missing(error.reason)
        }
    }

    // MARK: Coverage

    private func beginCoverage(in process: WorkerProcess) throws(WorkerError) {
        guard let coverage = settings.coverage else { return }
        let reply = try exchange(HostMessage.cover(parser: coverage.parser).frame, with: process, .none)
        if case .failed(let error) = reply { throw .unusableParser(error.message) }
        isCounting = true
    }

    private func collectCoverage() {
        guard isCounting, case .ready(let process) = state, let coverage = settings.coverage else { return }
        // What a worker that ends here has counted is lost; its tests have failed already.
        let reply = try? exchange(HostMessage.reportCoverage.frame, with: process, .none)
        if case .covered(let files)? = reply { coverage.collect(files) }
    }

    // MARK: The end

    /// Ends the process, and returns why no reply came: what it exited with says more than that it did.
    private func end(_ process: WorkerProcess, because reason: WorkerError) -> WorkerError {
        var reason = reason
        if case .exited = reason {
            let exit = process.exit()
            // The worker's own report is needed: the peak that `wait4` gives begins with the host's size at the start.
            reason =
                switch exit.status {
                case ScriptLimit.memoryExitStatus: .outOfMemory
                case ScriptLimit.timeExitStatus: .timedOut
                default: .exited(signal: exit.signal)
                }
        } else {
            process.kill()
        }
        state = .ended(reason)
        return reason
    }
}

/// Runs an actor whose methods block on a queue of its own.
private final class QueueExecutor: SerialExecutor {
    private let queue = DispatchQueue(label: "imgscript-worker")

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        queue.async { job.runSynchronously(on: self.asUnownedSerialExecutor()) }
    }
}

extension HostMessage {
    /// The message as it is sent; throws where its bodies leave too little room for the rest.
    var checkedFrame: [UInt8] {
        get throws(WorkerError) {
            guard bodyBytes <= FrameHeader.maximumLength / 2 else { throw .responsesTooLong(bytes: bodyBytes) }
            return frame
        }
    }
}
