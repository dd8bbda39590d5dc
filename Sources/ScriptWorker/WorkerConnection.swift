import Dispatch
import Glibc
import ProviderModel
import Synchronization
import WorkerProtocol

/// One worker, talked to one step at a time: calls first, else in the order asked.
///
/// Steps block a thread of the connection's own queue, so that no thread of the Swift runtime does: a script that runs
/// to its deadline holds up nobody. Only a step that is over in a moment is done by whoever asks for it.
/// `@unchecked Sendable`: `process`, `channel` and `fault` are touched on `queue`, and by a caller's thread while `line`
/// holds back what would get there.
final class WorkerConnection: @unchecked Sendable {
    typealias Reply = Result<WorkerMessage, WorkerFault>
    /// What is done on the queue; it gives what is done once others may go on.
    private typealias Step = @Sendable () -> Ending?
    private typealias Ending = @Sendable () -> Void

    /// What waits for the queue.
    private struct Line {
        var steps = StepLine<Step>()
        /// Blocks that are on the queue, the one that runs among them, and those held back.
        var blocks = 0
        /// Blocks held back while a step is done without the queue; nil at all other times.
        var held: [Step]?
    }

    /// How long a caller's own thread waits for a reply before the queue's does.
    ///
    /// A page of 20 items takes a quarter of it. Waking two threads, one to wait and one to go on, takes longer than reading
    /// such a page, and a thread of the Swift runtime is kept no longer than by any other work on a large one.
    private static let patience = Duration.milliseconds(1)

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
        if let sent = begin(message) {
            if let reply = replyAtOnce(to: sent, handlers) { return reply }
            return await withCheckedContinuation { continuation in
                release {
                    let reply = self.finish(sent, handlers)
                    return { continuation.resume(returning: reply) }
                }
            }
        }
        return await withCheckedContinuation { continuation in
            line.withLock { line in
                let isCall = if case .call = message { true } else { false }
                let step: Step = {
                    let reply = self.step(message, handlers)
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
        if line.held != nil { line.held?.append(step) } else { put(step) }
    }

    private func put(_ step: @escaping Step) {
        queue.async {
            let end = step()
            // First: who is told may have the next message ready at once.
            self.line.withLock { $0.blocks -= 1 }
            end?()
        }
    }

    // MARK: On the caller's thread

    /// Sends what the pipe takes of a message, where the worker waits for one; nothing else is done until `release`.
    private func begin(_ message: HostMessage) -> Beginning? {
        let isFree = line.withLock { line in
            guard line.blocks == 0, line.held == nil, isReady, fault == nil, !message.isTooLong else { return false }
            line.held = []
            return true
        }
        guard isFree else { return nil }
        let frame = message.frame
        beginStep()
        return Beginning(frame: frame, sent: channel?.sendAtOnce(frame) ?? 0)
    }

    /// The reply, where it comes within a moment.
    private func replyAtOnce(to beginning: Beginning, _ handlers: Handlers) -> Reply? {
        guard beginning.sent == beginning.frame.count else { return nil }
        let end = ContinuousClock.now + Self.patience
        do throws(WorkerFault) {
            while ContinuousClock.now < end, channel?.hasFrame() == true {
                guard let reply = try nextReply(handlers) else { continue }
                release()
                return .success(reply)
            }
            return nil
        } catch {
            self.end(error)
            release()
            return .failure(fault ?? error)
        }
    }

    /// Lets the queue go on, with the rest of the step that has begun where it is not over.
    private func release(_ rest: Step? = nil) {
        line.withLock { line in
            let held = line.held ?? []
            line.held = nil
            if let rest { enqueue(&line, rest) }
            for step in held { put(step) }
        }
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
    /// Messages that came in this step.
    private var messages = 0

    private func step(_ message: HostMessage, _ handlers: Handlers) -> Reply {
        attempt { () throws(WorkerFault) in
            if !isReady {
                try awaitReady()
                isReady = true
                try beginCoverage()
            }
            return try reply(to: message, handlers)
        }
    }

    /// Does the rest of a step that has begun.
    private func finish(_ beginning: Beginning, _ handlers: Handlers) -> Reply {
        attempt { () throws(WorkerFault) in
            try channel?.send(beginning.frame, from: beginning.sent)
            return try reply(handlers)
        }
    }

    private func attempt(_ body: () throws(WorkerFault) -> WorkerMessage) -> Reply {
        if let fault { return .failure(fault) }
        do throws(WorkerFault) { return .success(try body()) } catch {
            end(error)
            return .failure(fault ?? error)
        }
    }

    private func beginCoverage() throws(WorkerFault) {
        guard let coverage = settings.coverage else { return }
        let reply = try reply(to: .cover(parser: coverage.parser), .none)
        if case .failed(let error) = reply { throw .unusableParser(error.message) }
        isCounting = true
    }

    private func collectCoverage() {
        guard isCounting, let coverage = settings.coverage else { return }
        // What a worker that ends here has counted is lost; its tests have failed already.
        guard case .success(.covered(let files)) = step(.reportCoverage, .none) else { return }
        coverage.collect(files)
    }

    private func reply(to message: HostMessage, _ handlers: Handlers) throws(WorkerFault) -> WorkerMessage {
        if message.isTooLong { throw .answersTooLong(bytes: message.bodyBytes) }
        beginStep()
        try channel?.send(message.frame)
        return try reply(handlers)
    }

    private func beginStep() {
        messages = 0
        channel?.begin(deadline: .now + settings.deadline + WorkerSettings.grace, budget: settings.replyBytes)
    }

    /// The reply to the message that was sent last.
    private func reply(_ handlers: Handlers) throws(WorkerFault) -> WorkerMessage {
        while true { if let reply = try nextReply(handlers) { return reply } }
    }

    /// The next message, where it is a reply; others are dealt with.
    private func nextReply(_ handlers: Handlers) throws(WorkerFault) -> WorkerMessage? {
        guard messages < WorkerSettings.replyMessages else {
            throw .chatter(messages: WorkerSettings.replyMessages)
        }
        messages += 1
        guard let message = try channel?.receive() else { throw .ended(signal: nil) }
        switch message {
        case .log(let level, let text): handlers.log(level, text)
        case .moduleNeeded(let file, _):
            let answer: HostMessage.ModuleReply
            do throws(MissingNeighbour) { answer = .source(file: file, text: try handlers.neighbour(file)) } catch {
                answer = .missing(error.reason)
            }
            try channel?.send(HostMessage.module(answer).frame)
        case .ready: throw .nonsense(.malformed("ready twice"))
        case .loaded, .requests, .finished, .failed, .testsFound, .asked, .tested, .covered: return message
        }
        return nil
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
