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
    }

    /// How many steps of tasks are run before the network is looked after: what the first have asked for is then on its
    /// way while the others run.
    private static let stepsAtATime = 16

    private enum Stage {
        case idle
        case running
        case failed(TransportError)
        case stopped
    }

    private struct Inbox {
        var stage = Stage.idle
        var commands: [Command] = []
        /// Steps of the tasks that run on the thread.
        var steps: [UnownedJob] = []
        var waker: Waker?
        /// Whether the thread waits for the network, and has to be woken for anything else.
        var isAsleep = false

        var isEmpty: Bool { commands.isEmpty && steps.isEmpty }
    }

    /// `curl_multi_wakeup` is the one function that any thread may call; the inbox's lock keeps the handle alive for it.
    private struct Waker: @unchecked Sendable {
        let multi: UnsafeMutableRawPointer
    }

    private let settings: TransportSettings
    private let certificates: TrustedCertificates
    private let inbox = Mutex(Inbox())
    private let thread = Atomic<UInt>(0)

    init(settings: TransportSettings, certificates: TrustedCertificates) {
        self.settings = settings
        self.certificates = certificates
    }

    /// Starts the thread, which loads the library and then does what it is told besides; the second call does nothing.
    func start(andThen next: @escaping @Sendable () -> Void = {}) {
        let isFirst = inbox.withLock { inbox in
            guard case .idle = inbox.stage else { return false }
            inbox.stage = .running
            return true
        }
        guard isFirst else { return }
        let work: @Sendable () -> Void = { self.run(first: next) }
        guard !LibraryThread.goOn(with: work), !NativeThread.start(work) else { return }
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
        if let refusal = add({ $0.commands.append(command) }) { refuse(command, refusal) }
    }

    /// Adds to the inbox; returns why nothing more is taken, if so.
    private func add(_ change: (inout Inbox) -> Void) -> TransportError? {
        inbox.withLock { inbox in
            if case .failed(let error) = inbox.stage { return error }
            if case .stopped = inbox.stage { return TransportError(.unavailable, message: "the transport was closed") }
            change(&inbox)
            // Once is enough: the thread takes all there is.
            if inbox.isAsleep, let waker = inbox.waker {
                inbox.isAsleep = false
                ccurl_multi_wakeup(waker.multi)
            }
            return nil
        }
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
        ccurl_make_room()
        // The system's store is looked for here, so that the first connection need not wait for it.
        _ = settings.trust.folder
        let multi = CurlMulti(settings: settings, certificates: certificates) { [weak self] in
            self?.submit(.resume($0))
        }
        guard let multi else {
            return fail(TransportError(.unavailable, message: "libcurl could not start: out of memory"))
        }
        thread.store(UInt(pthread_self()), ordering: .relaxed)
        setWaker(Waker(multi: multi.handle))
        var steps: ArraySlice<UnownedJob> = []
        while carryOutCommands(multi) {
            takeSteps(&steps)
            for _ in 0..<Self.stepsAtATime {
                guard let step = steps.popFirst() else { break }
                step.runSynchronously(on: asUnownedTaskExecutor())
            }
            // What tasks on this thread have asked for need not wait for the network.
            guard carryOutCommands(multi) else { break }
            multi.perform()
            if steps.isEmpty, beginSleep() {
                multi.waitForEvents()
                inbox.withLock { $0.isAsleep = false }
            }
        }
        thread.store(0, ordering: .relaxed)
        setWaker(nil)
        for step in steps { runElsewhere(step) }
        multi.cancelAll()
    }

    /// Whether there is nothing to do but to wait; whoever adds something from now on wakes the thread.
    private func beginSleep() -> Bool {
        inbox.withLock { inbox in
            inbox.isAsleep = inbox.isEmpty
            return inbox.isAsleep
        }
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
        }
    }

    /// Ends what cannot be begun.
    private func refuse(_ command: Command, _ error: any Error) {
        guard case .begin(let order) = command else { return }
        order.answer.resume(throwing: error)
    }

    private func runElsewhere(_ step: UnownedJob) { globalConcurrentExecutor.enqueue(ExecutorJob(step)) }

    private func setWaker(_ waker: Waker?) {
        let left = inbox.withLock { inbox in
            inbox.waker = waker
            guard waker == nil else { return Inbox() }
            defer { (inbox.commands, inbox.steps) = ([], []) }
            return inbox
        }
        end(left, with: CancellationError())
    }

    private func end(_ left: Inbox, with error: any Error) {
        for command in left.commands { refuse(command, error) }
        for step in left.steps { runElsewhere(step) }
    }

    /// What is to be done; nil when the thread is to end.
    private func takeCommands() -> [Command]? {
        inbox.withLock { inbox in
            guard case .running = inbox.stage else { return nil }
            defer { inbox.commands = [] }
            return inbox.commands
        }
    }

    private func takeSteps(_ steps: inout ArraySlice<UnownedJob>) {
        inbox.withLock { inbox in
            guard !inbox.steps.isEmpty else { return }
            steps += inbox.steps
            inbox.steps = []
        }
    }

    private func fail(_ error: TransportError) {
        let waiting = inbox.withLock { inbox in
            inbox.stage = .failed(error)
            defer { (inbox.commands, inbox.steps) = ([], []) }
            return inbox
        }
        end(waiting, with: error)
    }
}

extension CurlLoop: TaskExecutor {
    func enqueue(_ job: consuming ExecutorJob) {
        let step = UnownedJob(job)
        start()
        if add({ $0.steps.append(step) }) != nil { runElsewhere(step) }
    }
}
