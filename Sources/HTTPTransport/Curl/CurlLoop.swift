import CCurl
import Glibc
import Synchronization

/// The thread on which libcurl lives, and the inbox through which everything reaches it.
///
/// Tasks that prefer it as their executor run on that thread: what they send and what comes back wakes nobody.
final class CurlLoop: Sendable {
    /// What the thread is asked to do.
    enum Command: Sendable {
        case begin(TransferOrder)
        case cancel(ObjectIdentifier)
        case resume(ObjectIdentifier)
        case run(UnownedJob)
    }

    private enum Stage {
        case idle
        case running
        case failed(TransportError)
        case stopped
    }

    private struct Inbox {
        var stage = Stage.idle
        var commands: [Command] = []
        var waker: Waker?
    }

    /// `curl_multi_wakeup` is the one function that any thread may call; the inbox's lock keeps the handle alive for it.
    private struct Waker: @unchecked Sendable {
        let multi: UnsafeMutableRawPointer
    }

    private let settings: TransportSettings
    private let inbox = Mutex(Inbox())
    private let thread = Atomic<UInt>(0)

    init(settings: TransportSettings) { self.settings = settings }

    /// Starts the thread, which loads the library and then does what it is told besides; the second call does nothing.
    func start(andThen next: @escaping @Sendable () -> Void = {}) {
        let isFirst = inbox.withLock { inbox in
            guard case .idle = inbox.stage else { return false }
            inbox.stage = .running
            return true
        }
        guard isFirst, !NativeThread.start({ self.run(first: next) }) else { return }
        fail(
            TransportError(
                .unavailable,
                message: "no thread for the network could be started; the system is out of them"
            )
        )
    }

    /// Whether the caller runs on this thread.
    var isCurrent: Bool { thread.load(ordering: .relaxed) == UInt(pthread_self()) }

    /// Puts a command into the inbox and wakes the thread.
    func submit(_ command: Command) {
        let isCurrent = isCurrent
        let refusal: TransportError? = inbox.withLock { inbox in
            if case .failed(let error) = inbox.stage { return error }
            if case .stopped = inbox.stage { return TransportError(.unavailable, message: "the transport was closed") }
            inbox.commands.append(command)
            // Whoever came first has woken the thread, which takes all there is.
            if let waker = inbox.waker, inbox.commands.count == 1, !isCurrent { ccurl_multi_wakeup(waker.multi) }
            return nil
        }
        if let refusal { refuse(command, refusal) }
    }

    /// Ends the thread; transfers under way end as cancelled.
    func stop() {
        inbox.withLock { inbox in
            if case .failed = inbox.stage { return }
            inbox.stage = .stopped
            if let waker = inbox.waker { ccurl_multi_wakeup(waker.multi) }
        }
    }

    private func run(first: () -> Void) {
        let problem = ccurl_load()
        first()
        if let problem {
            return fail(TransportError(.unavailable, message: String(cString: problem)))
        }
        guard let multi = CurlMulti(settings: settings, resume: { [weak self] in self?.submit(.resume($0)) }) else {
            return fail(TransportError(.unavailable, message: "libcurl could not start: out of memory"))
        }
        thread.store(UInt(pthread_self()), ordering: .relaxed)
        setWaker(Waker(multi: multi.handle))
        while carryOutCommands(multi) {
            // What tasks on this thread have asked for need not wait for the network.
            guard carryOutCommands(multi) else { break }
            multi.perform()
            if inbox.withLock(\.commands.isEmpty) { multi.waitForEvents() }
        }
        thread.store(0, ordering: .relaxed)
        setWaker(nil)
        multi.cancelAll()
    }

    /// Carries out all there is, and keeps nothing of it; false when the thread is to end.
    private func carryOutCommands(_ multi: CurlMulti) -> Bool {
        guard let commands = takeCommands() else { return false }
        for command in commands { carryOut(command, multi) }
        return true
    }

    private func carryOut(_ command: Command, _ multi: CurlMulti) {
        switch command {
        case .begin(let order): multi.take(order)
        case .cancel(let id): multi.cancel(id)
        case .resume(let id): multi.resume(id)
        case .run(let job): job.runSynchronously(on: asUnownedTaskExecutor())
        }
    }

    /// Ends what cannot be begun; a task goes on elsewhere.
    private func refuse(_ command: Command, _ error: any Error) {
        switch command {
        case .begin(let order): order.answer.resume(throwing: error)
        case .run(let job): globalConcurrentExecutor.enqueue(ExecutorJob(job))
        case .cancel, .resume: break
        }
    }

    private func setWaker(_ waker: Waker?) {
        let left = inbox.withLock { inbox in
            inbox.waker = waker
            guard waker == nil else { return [Command]() }
            defer { inbox.commands = [] }
            return inbox.commands
        }
        for command in left { refuse(command, CancellationError()) }
    }

    /// What is to be done; nil when the thread is to end.
    private func takeCommands() -> [Command]? {
        inbox.withLock { inbox in
            guard case .running = inbox.stage else { return nil }
            defer { inbox.commands = [] }
            return inbox.commands
        }
    }

    private func fail(_ error: TransportError) {
        let waiting = inbox.withLock { inbox in
            inbox.stage = .failed(error)
            defer { inbox.commands = [] }
            return inbox.commands
        }
        for command in waiting { refuse(command, error) }
    }
}

extension CurlLoop: TaskExecutor {
    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        start()
        submit(.run(job))
    }
}
