import Dispatch
import ProviderModel
import Synchronization
import WorkerProtocol

/// A connection to one worker, from its start to its end: one message at a time is sent, and its reply awaited.
///
/// Its methods block a queue of their own and none of the Swift runtime's threads: a script that runs to its deadline
/// delays only callers of this worker.
final class WorkerConnection: Sendable {
    /// What is done with messages that come before a reply.
    struct Handlers: Sendable {
        var module: @Sendable (String) throws(ModuleNotFound) -> String
        var log: @Sendable (WorkerMessage.LogLevel, String) -> Void

        /// For messages that run no script of a provider.
        static let none = Handlers(
            module: { path throws(ModuleNotFound) in throw ModuleNotFound("\(path) is not available") },
            log: { _, _ in })
    }

    /// How urgent a message is.
    enum Priority {
        /// A call: what it asks for is then on its way while the script reads what has come.
        case high
        case normal
    }

    /// A message that waits for its turn, and for its reply.
    private struct Exchange: Sendable {
        let frame: [UInt8]
        let handlers: Handlers
        let continuation: CheckedContinuation<Result<WorkerMessage, WorkerError>, Never>
    }

    private struct Pending {
        var high: [Exchange] = []
        var normal: [Exchange] = []

        mutating func next() -> Exchange { high.isEmpty ? normal.removeFirst() : high.removeFirst() }
    }

    private enum State {
        /// The process was started, and has not said that it is ready.
        case starting(WorkerProcess)
        case ready(WorkerProcess, WorkerStatus)
        case ended(WorkerError)
    }

    private let queue = DispatchQueue(label: "imgscript-worker")
    private let settings: WorkerSettings
    private let pending = Mutex(Pending())
    /// Locked by work on the queue alone.
    private let state: Mutex<State>

    /// Starts the process, without waiting until it is ready.
    init(settings: WorkerSettings) {
        self.settings = settings
        do throws(WorkerError) {
            state = Mutex(.starting(try WorkerProcess(executable: settings.executable, memory: settings.memory)))
        } catch {
            state = Mutex(.ended(error))
        }
    }

    /// Sends an encoded message and waits for its reply.
    func exchange(
        _ frame: [UInt8], priority: Priority = .normal, handlers: Handlers
    ) async throws(WorkerError) -> WorkerMessage {
        let result = await withCheckedContinuation { continuation in
            let exchange = Exchange(frame: frame, handlers: handlers, continuation: continuation)
            pending.withLock { pending in
                switch priority {
                case .high: pending.high.append(exchange)
                case .normal: pending.normal.append(exchange)
                }
            }
            queue.async { self.performNext() }
        }
        return try result.get()
    }

    /// What the worker says of itself, once it is ready.
    func status() async throws(WorkerError) -> WorkerStatus {
        let result = await withCheckedContinuation { continuation in
            queue.async {
                continuation.resume(
                    returning: self.state.withLock { state in
                        Result { () throws(WorkerError) in try self.ready(&state).status }
                    })
            }
        }
        return try result.get()
    }

    /// Sends an encoded message that has no reply; a worker that does not take it is ended.
    func send(_ frame: [UInt8]) async {
        await onQueue { state in
            guard case .ready(let process, _) = state else { return }
            process.beginStep(deadline: .now + self.settings.deadline, byteLimit: 0)
            do throws(WorkerError) { try process.send(frame) } catch {
                state = .ended(Self.end(process, because: error))
            }
        }
    }

    /// Collects the worker's coverage, and ends it.
    func close() async {
        await onQueue { state in
            switch state {
            case .ended: return
            case .ready(let process, _):
                self.collectCoverage(from: process)
                process.kill()
            case .starting(let process): process.kill()
            }
            state = .ended(.exited(signal: nil))
        }
    }

    /// How many messages wait for their turn.
    var pendingCount: Int { pending.withLock { $0.high.count + $0.normal.count } }

    private func onQueue(_ body: @escaping @Sendable (inout State) -> Void) async {
        await withCheckedContinuation { continuation in
            queue.async {
                self.state.withLock { body(&$0) }
                continuation.resume()
            }
        }
    }

    private func performNext() {
        let next = pending.withLock { $0.next() }
        let result: Result<WorkerMessage, WorkerError> = state.withLock { state in
            Result { () throws(WorkerError) in
                let process = try ready(&state).process
                do throws(WorkerError) { return try exchange(next.frame, with: process, next.handlers) } catch {
                    let reason = Self.end(process, because: error)
                    state = .ended(reason)
                    throw reason
                }
            }
        }
        next.continuation.resume(returning: result)
    }

    // MARK: Messages

    /// The process once it is ready; throws why there is none.
    private func ready(_ state: inout State) throws(WorkerError) -> (process: WorkerProcess, status: WorkerStatus) {
        switch state {
        case .ended(let error): throw error
        case .ready(let process, let status): return (process, status)
        case .starting(let process):
            let status: WorkerStatus
            do throws(WorkerError) {
                status = try awaitReady(process)
                try beginCoverage(in: process)
            } catch {
                let reason = Self.end(process, because: error)
                state = .ended(reason)
                throw reason
            }
            state = .ready(process, status)
            return (process, status)
        }
    }

    /// Reads the worker's first message, which says that its sandbox is on.
    private func awaitReady(_ process: WorkerProcess) throws(WorkerError) -> WorkerStatus {
        // Starting is not the script's time.
        process.beginStep(deadline: .now + WorkerSettings.startTimeout, byteLimit: 1 << 16)
        let message: WorkerMessage
        do throws(WorkerError) { message = try receive(from: process) } catch {
            throw error == .timedOut ? .notReady : error
        }
        switch message {
        case .ready(let status): return status
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
    }

    private func collectCoverage(from process: WorkerProcess) {
        guard let coverage = settings.coverage else { return }
        // What a worker that ends here has counted is lost; its tests have failed already.
        let reply = try? exchange(HostMessage.reportCoverage.frame, with: process, .none)
        if case .covered(let files)? = reply { coverage.collect(files) }
    }

    // MARK: The end

    /// Ends the process, and returns why no reply came: what it exited with says more than that it did.
    private static func end(_ process: WorkerProcess, because reason: WorkerError) -> WorkerError {
        guard case .exited = reason else {
            process.kill()
            return reason
        }
        let exit = process.exit()
        // The worker's own report is needed: the peak that `wait4` gives begins with the host's size at the start.
        return switch exit.status {
        case ScriptLimit.memoryExitStatus: .outOfMemory
        case ScriptLimit.timeExitStatus: .timedOut
        default: .exited(signal: exit.signal)
        }
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
