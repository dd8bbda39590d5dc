import Dispatch
import Glibc
import ProviderModel
import Synchronization
import WorkerProtocol

/// One worker, talked to one step at a time: calls first, else in the order asked.
///
/// Steps block a thread of the connection's own queue, so that no thread of the Swift runtime does: a script that runs
/// to its deadline holds up nobody. `@unchecked Sendable`: `process`, `channel` and `fault` are touched on `queue`, and
/// under `line` while nothing is on the queue and nothing can get there.
final class WorkerConnection: @unchecked Sendable {
    typealias Reply = Result<WorkerMessage, WorkerFault>
    /// What is done on the queue; it gives what is done once others may go on.
    private typealias Step = @Sendable () -> Ending?
    private typealias Ending = @Sendable () -> Void

    /// What waits for the queue.
    private struct Line {
        var steps = StepLine<Step>()
        /// Blocks that are on the queue, the one that runs among them.
        var blocks = 0
    }

    /// The part of a message that is on its way before its step begins.
    private struct Beginning {
        var frame: [UInt8]
        var sent: Int
    }

    /// What is done with messages that come before a reply.
    struct Handlers: Sendable {
        var neighbour: @Sendable (String) throws(MissingNeighbour) -> String
        var log: @Sendable (WorkerMessage.LogLevel, String) -> Void

        /// For messages that run no script of a stranger.
        static let none = Handlers(
            neighbour: { path throws(MissingNeighbour) in throw MissingNeighbour("\(path) is not to be had") },
            log: { _, _ in })
    }

    private let settings: WorkerSettings
    private let queue = DispatchQueue(label: "imgscript-worker")
    private let line = Mutex(Line())
    private var process: WorkerProcess?
    private var channel: FrameChannel?
    private var fault: WorkerFault?

    /// Starts the process at once, without waiting for it.
    init(settings: WorkerSettings) {
        self.settings = settings
        enqueue { self.start() }
    }

    /// Takes over a process that was started with the memory of these settings.
    init(settings: WorkerSettings, adopting process: consuming WorkerProcess) {
        self.settings = settings
        channel = FrameChannel(input: process.input, output: process.output)
        self.process = consume process
    }

    /// Sends a message and waits for its reply.
    func exchange(_ message: HostMessage, handlers: Handlers) async -> Reply {
        await withCheckedContinuation { continuation in
            line.withLock { line in
                // The worker begins while the queue's thread is still being woken to wait for it.
                if line.blocks == 0, let beginning = begin(message) {
                    enqueue(&line) {
                        let reply = self.step(message, beginning, handlers)
                        return { continuation.resume(returning: reply) }
                    }
                    return
                }
                let isCall = if case .call = message { true } else { false }
                let step: Step = {
                    let reply = self.step(message, nil, handlers)
                    return { continuation.resume(returning: reply) }
                }
                line.steps.add(step, isCall: isCall)
                enqueue(&line) { self.line.withLock { $0.steps.takeNext() }?() }
            }
        }
    }

    /// Sends a message that has no reply.
    func send(_ message: HostMessage) {
        enqueue {
            guard self.fault == nil else { return }
            self.channel?.begin(deadline: .now + self.settings.deadline, budget: 0)
            do throws(WorkerFault) { try self.channel?.send(message.frame) } catch { self.end(error) }
        }
    }

    /// Ends the worker once the step under way is over, and hands on what it counted.
    func close() {
        enqueue {
            guard self.fault == nil else { return }
            self.collectCoverage()
            if self.fault == nil { self.end(.ended(signal: nil)) }
        }
    }

    /// Waits until `close` has been carried out.
    func closed() async {
        await withCheckedContinuation { continuation in line.withLock { enqueue(&$0) { { continuation.resume() } } } }
    }

    private func enqueue(_ block: @escaping @Sendable () -> Void) {
        line.withLock { line in
            enqueue(&line) {
                block()
                return nil
            }
        }
    }

    private func enqueue(_ line: inout Line, _ step: @escaping Step) {
        line.blocks += 1
        queue.async {
            let end = step()
            // First: who is told may have the next message ready at once.
            self.line.withLock { $0.blocks -= 1 }
            end?()
        }
    }

    /// Sends what the pipe takes of a message, where the worker waits for one.
    private func begin(_ message: HostMessage) -> Beginning? {
        guard isReady, fault == nil, let channel, !message.isTooLong else { return nil }
        let frame = message.frame
        return Beginning(frame: frame, sent: channel.sendAtOnce(frame))
    }

    // MARK: On the queue

    private func start() {
        do throws(WorkerFault) {
            let process = try WorkerProcess(executable: settings.executable, memory: settings.memory)
            channel = FrameChannel(input: process.input, output: process.output)
            self.process = consume process
        } catch {
            fault = error
        }
    }

    /// Reads the worker's first message, which says that it is locked in.
    private func awaitReady() throws(WorkerFault) {
        // Starting is not the script's time; a loaded machine may take a while.
        channel?.begin(deadline: .now + .seconds(10), budget: 1 << 16)
        switch try channel?.receive() {
        case .ready: return
        case .failed(let error): throw .notSandboxed(error.message)
        default: throw .nonsense(.malformed("another message than ready"))
        }
    }

    private var isReady = false
    private var isCounting = false

    private func step(_ message: HostMessage, _ beginning: Beginning?, _ handlers: Handlers) -> Reply {
        if let fault { return .failure(fault) }
        do throws(WorkerFault) {
            if !isReady {
                try awaitReady()
                isReady = true
                try beginCoverage()
            }
            return .success(try reply(to: message, beginning, handlers))
        } catch {
            end(error)
            return .failure(fault ?? error)
        }
    }

    private func beginCoverage() throws(WorkerFault) {
        guard let coverage = settings.coverage else { return }
        let reply = try reply(to: .cover(parser: coverage.parser), nil, .none)
        if case .failed(let error) = reply { throw .unusableParser(error.message) }
        isCounting = true
    }

    private func collectCoverage() {
        guard isCounting, let coverage = settings.coverage else { return }
        // What a worker that ends here has counted is lost; its tests have failed already.
        guard case .success(.covered(let files)) = step(.reportCoverage, nil, .none) else { return }
        coverage.collect(files)
    }

    private func reply(
        to message: HostMessage, _ beginning: Beginning?, _ handlers: Handlers
    ) throws(WorkerFault) -> WorkerMessage {
        guard var channel else { throw .ended(signal: nil) }
        if message.isTooLong { throw .answersTooLong(bytes: message.bodyBytes) }
        channel.begin(
            deadline: .now + settings.deadline + WorkerSettings.grace, budget: settings.replyBytes)
        try channel.send(beginning?.frame ?? message.frame, from: beginning?.sent ?? 0)
        for _ in 0..<WorkerSettings.replyMessages {
            let reply = try channel.receive()
            switch reply {
            case .log(let level, let text): handlers.log(level, text)
            case .moduleNeeded(let file, _):
                let answer: HostMessage.ModuleReply
                do throws(MissingNeighbour) { answer = .source(file: file, text: try handlers.neighbour(file)) } catch {
                    answer = .missing(error.reason)
                }
                try channel.send(HostMessage.module(answer).frame)
            case .ready: throw .nonsense(.malformed("ready twice"))
            case .loaded, .requests, .finished, .failed, .testsFound, .asked, .tested, .covered: return reply
            }
        }
        throw .chatter(messages: WorkerSettings.replyMessages)
    }

    /// Ends the process and works out why it ended.
    private func end(_ reason: WorkerFault) {
        fault = reason
        channel = nil
        guard let process = process.take() else { return }
        guard case .ended = reason else {
            _ = process.end()
            return
        }
        let exit = process.reap()
        // The worker's own word is needed: the peak that `wait4` gives begins with the host's size at the start.
        switch exit.status {
        case ScriptLimit.memoryExitStatus: fault = .memory
        case ScriptLimit.timeExitStatus: fault = .deadline
        default: fault = .ended(signal: exit.signal)
        }
    }

    deinit { if let process = process.take() { _ = process.end() } }
}

extension HostMessage {
    /// Whether its bodies leave too little room in a frame for the rest of the message.
    fileprivate var isTooLong: Bool { bodyBytes > FrameHeader.maximumLength / 2 }
}
