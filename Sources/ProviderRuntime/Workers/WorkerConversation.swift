import ProviderModel
import WorkerProtocol

/// What one worker is told and what it replies, from its start to its end.
///
/// All of it may block, and belongs to one thread at a time.
final class WorkerConversation {
    typealias Reply = Result<WorkerMessage, WorkerFault>

    /// The part of a message that is on its way before its step begins.
    struct Beginning {
        fileprivate var frame: [UInt8]
        fileprivate var sent: Int

        /// Whether that is all of it.
        var isWhole: Bool { sent == frame.count }
    }

    /// What is done with messages that come before a reply.
    struct Handlers: Sendable {
        var neighbour: @Sendable (String) throws(ModuleNotFound) -> String
        var log: @Sendable (WorkerMessage.LogLevel, String) -> Void

        /// For messages that run no script of a stranger.
        static let none = Handlers(
            neighbour: { path throws(ModuleNotFound) in throw ModuleNotFound("\(path) is not to be had") },
            log: { _, _ in })
    }

    private let settings: WorkerSettings
    private var process: WorkerProcess?
    /// What stands for a process in a rehearsal.
    private var replies: WrittenReplies?
    private var channel: FrameChannel?
    private var fault: WorkerFault?
    private var isReady = false
    private var isCounting = false
    /// Messages that came in this step.
    private var messages = 0

    /// A conversation whose worker has still to be started.
    init(settings: WorkerSettings) { self.settings = settings }

    /// Takes over a process that was started with the memory of these settings.
    init(settings: WorkerSettings, adopting process: consuming WorkerProcess) {
        self.settings = settings
        channel = FrameChannel(input: process.input, output: process.output)
        self.process = consume process
    }

    /// A conversation with nobody, whose replies are written down.
    init(settings: WorkerSettings, reading replies: WrittenReplies) {
        self.settings = settings
        channel = FrameChannel(input: replies.input, output: replies.output)
        self.replies = replies
    }

    deinit { if let process = process.take() { _ = process.end() } }

    /// Starts the process.
    func start() {
        do throws(WorkerFault) {
            let process = try WorkerProcess(executable: settings.executable, memory: settings.memory)
            channel = FrameChannel(input: process.input, output: process.output)
            self.process = consume process
        } catch {
            fault = error
        }
    }

    /// Sends a message and waits for its reply.
    func exchange(_ message: HostMessage, _ handlers: Handlers) -> Reply {
        attempt { () throws(WorkerFault) in
            guard !isReady else { return try reply(to: message, handlers) }
            // A worker finds its first message there when it is ready; one that counts is told so first.
            let early = settings.coverage == nil && !message.isTooLong ? message.frame : []
            let sent = channel?.sendAtOnce(early) ?? 0
            try awaitReady()
            isReady = true
            try beginCoverage()
            guard sent > 0 else { return try reply(to: message, handlers) }
            beginStep()
            try channel?.send(early, from: sent)
            return try reply(handlers)
        }
    }

    /// Sends a message that has no reply.
    func send(_ message: HostMessage) {
        guard fault == nil else { return }
        channel?.begin(deadline: .now + settings.deadline, budget: 0)
        do throws(WorkerFault) { try channel?.send(message.frame) } catch { end(error) }
    }

    /// Hands on what the worker has counted, and ends it.
    func close() {
        guard fault == nil else { return }
        collectCoverage()
        if fault == nil { end(.ended(signal: nil)) }
    }

    // MARK: A step in two parts

    /// Whether `begin` may be told this message: the worker waits for one, and takes it.
    func canBegin(_ message: HostMessage) -> Bool { isReady && fault == nil && !message.isTooLong }

    /// Begins a step by sending what the pipe takes of a message at once.
    func begin(_ message: HostMessage) -> Beginning {
        let frame = message.frame
        beginStep()
        return Beginning(frame: frame, sent: channel?.sendAtOnce(frame) ?? 0)
    }

    /// The reply to a message that was sent whole, where it comes within `patience`.
    func reply(within patience: Duration, _ handlers: Handlers) -> Reply? {
        let end = ContinuousClock.now + patience
        do throws(WorkerFault) {
            while ContinuousClock.now < end, channel?.hasFrame() == true {
                if let reply = try nextReply(handlers) { return .success(reply) }
            }
            return nil
        } catch {
            self.end(error)
            return .failure(fault ?? error)
        }
    }

    /// Does the rest of a step that has begun.
    func finish(_ beginning: Beginning, _ handlers: Handlers) -> Reply {
        attempt { () throws(WorkerFault) in
            try channel?.send(beginning.frame, from: beginning.sent)
            return try reply(handlers)
        }
    }

    // MARK: Messages

    /// Reads the worker's first message, which says that it is locked in.
    private func awaitReady() throws(WorkerFault) {
        // Starting is not the script's time; a loaded machine may take a while.
        channel?.begin(deadline: .now + .seconds(10), budget: 1 << 16)
        switch try channel?.receive() {
        case .ready: return
        case .failed(let error): throw .notSandboxed(error.message)
        default: throw .protocolViolation(.malformed("another message than ready"))
        }
    }

    private func attempt(_ body: () throws(WorkerFault) -> WorkerMessage) -> Reply {
        if let fault { return .failure(fault) }
        do throws(WorkerFault) { return .success(try body()) } catch {
            end(error)
            return .failure(fault ?? error)
        }
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
            throw .messageLimit(messages: WorkerSettings.replyMessages)
        }
        messages += 1
        guard let message = try channel?.receive() else { throw .ended(signal: nil) }
        switch message {
        case .log(let level, let text): handlers.log(level, text)
        case .moduleNeeded(let file, _):
            let answer: HostMessage.ModuleReply
            do throws(ModuleNotFound) { answer = .source(file: file, text: try handlers.neighbour(file)) } catch {
                answer = .missing(error.reason)
            }
            try channel?.send(HostMessage.module(answer).frame)
        case .ready: throw .protocolViolation(.malformed("ready twice"))
        case .loaded, .requests, .finished, .failed, .testsFound, .asked, .tested, .covered: return message
        }
        return nil
    }

    // MARK: Coverage

    private func beginCoverage() throws(WorkerFault) {
        guard let coverage = settings.coverage else { return }
        let reply = try reply(to: .cover(parser: coverage.parser), .none)
        if case .failed(let error) = reply { throw .unusableParser(error.message) }
        isCounting = true
    }

    private func collectCoverage() {
        guard isCounting, let coverage = settings.coverage else { return }
        // What a worker that ends here has counted is lost; its tests have failed already.
        guard case .success(.covered(let files)) = exchange(.reportCoverage, .none) else { return }
        coverage.collect(files)
    }

    // MARK: The end

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
}

extension HostMessage {
    /// Whether its bodies leave too little room in a frame for the rest of the message.
    fileprivate var isTooLong: Bool { bodyBytes > FrameHeader.maximumLength / 2 }
}
