import CCurl
import Dispatch
import Glibc
import Synchronization

/// The thread on which libcurl runs, and the inbox through which commands reach it.
final class CurlLoop: Sendable {
    /// A command for the thread.
    enum Command: Sendable {
        case start(QueuedTransfer)
        case cancel(ObjectIdentifier)
        case resume(ObjectIdentifier)
    }

    private enum Phase {
        case idle
        case running
        case stopped(TransportError)
    }

    /// `curl_multi_wakeup` is the one function that any thread may call; the inbox's lock keeps the handle alive for it.
    private struct MultiHandle: @unchecked Sendable {
        let pointer: UnsafeMutableRawPointer
    }

    private struct Inbox {
        var phase = Phase.idle
        var commands: [Command] = []
        var multi: MultiHandle?
        /// Whether the thread waits for events, or is about to: at any other time it looks for commands by itself.
        var isWaiting = false
    }

    private let settings: TransportSettings
    private let queue = DispatchQueue(label: "curl")
    private let inbox = Mutex(Inbox())

    init(settings: TransportSettings) { self.settings = settings }

    /// Sends a request; cancelling the task ends the transfer.
    nonisolated(nonsending) func send(_ request: TransportRequest) async throws -> TransportResponse {
        let cancellation = CancellationFlag()
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                submit(.start(QueuedTransfer(request, cancellation, continuation)))
            }
        } onCancel: {
            cancellation.set()
            submit(.cancel(ObjectIdentifier(cancellation)))
        }
    }

    /// Puts a command into the inbox and wakes the thread, which the first command starts.
    func submit(_ command: Command) {
        let refusal: TransportError? = inbox.withLock { inbox in
            switch inbox.phase {
            case .stopped(let error): return error
            case .running: break
            case .idle: start(&inbox)
            }
            inbox.commands.append(command)
            if inbox.isWaiting, let multi = inbox.multi { curl_multi_wakeup(multi.pointer) }
            inbox.isWaiting = false
            return nil
        }
        if let refusal { refuse(command, with: refusal) }
    }

    /// Starts the thread unless it runs.
    func start() {
        inbox.withLock { inbox in if case .idle = inbox.phase { start(&inbox) } }
    }

    private func start(_ inbox: inout Inbox) {
        inbox.phase = .running
        queue.async { self.run() }
    }

    /// Ends the thread; transfers under way end as cancelled.
    func stop() {
        inbox.withLock { inbox in
            inbox.phase = .stopped(TransportError(.unavailable, message: "the transport is closed"))
            if let multi = inbox.multi { curl_multi_wakeup(multi.pointer) }
        }
    }

    /// Ends the thread, and waits until its connections are closed.
    func shutdown() async {
        stop()
        await withCheckedContinuation { continuation in queue.async { continuation.resume() } }
    }

    private func run() {
        Self.blockBrokenPipeSignal()
        let multi = CurlMulti(settings: settings) { [weak self] in self?.submit(.resume($0)) }
        guard let multi else {
            let error = TransportError(.unavailable, message: "could not start libcurl: out of memory")
            inbox.withLock { $0.phase = .stopped(error) }
            return refuseAll(with: error)
        }
        inbox.withLock { $0.multi = MultiHandle(pointer: multi.handle) }
        while let commands = takeCommands() {
            for command in commands {
                switch command {
                case .start(let transfer): multi.start(transfer)
                case .cancel(let id): multi.cancel(id)
                case .resume(let id): multi.resume(id)
                }
            }
            multi.perform()
            let mayWait = inbox.withLock { inbox in
                // From then on a new command wakes the thread.
                inbox.isWaiting = inbox.commands.isEmpty
                return inbox.isWaiting
            }
            if mayWait { multi.waitForEvents() }
        }
        inbox.withLock { $0.multi = nil }
        multi.cancelAll()
        refuseAll(with: CancellationError())
    }

    /// The pending commands; nil when the thread has to end.
    private func takeCommands() -> [Command]? {
        inbox.withLock { inbox in
            guard case .running = inbox.phase else { return nil }
            inbox.isWaiting = false
            defer { inbox.commands = [] }
            return inbox.commands
        }
    }

    private func refuseAll(with error: any Error) {
        let commands = inbox.withLock { inbox in
            defer { inbox.commands = [] }
            return inbox.commands
        }
        for command in commands { refuse(command, with: error) }
    }

    private func refuse(_ command: Command, with error: any Error) {
        switch command {
        case .start(let transfer): transfer.continuation.resume(throwing: error)
        case .cancel, .resume: break
        }
    }

    /// OpenSSL writes to sockets that the server may have closed; libcurl leaves the signal to the program.
    private static func blockBrokenPipeSignal() {
        var signals = sigset_t()
        sigemptyset(&signals)
        sigaddset(&signals, SIGPIPE)
        pthread_sigmask(SIG_BLOCK, &signals, nil)
    }
}

/// A request on its way to the loop, and the continuation for its response.
struct QueuedTransfer: Sendable {
    let request: TransportRequest
    let origin: String
    let cancellation: CancellationFlag
    let continuation: CheckedContinuation<TransportResponse, any Error>

    var id: ObjectIdentifier { ObjectIdentifier(cancellation) }

    init(
        _ request: TransportRequest, _ cancellation: CancellationFlag,
        _ continuation: CheckedContinuation<TransportResponse, any Error>
    ) {
        self.request = request
        origin = request.url.origin
        self.cancellation = cancellation
        self.continuation = continuation
    }
}

/// Whether a caller has cancelled its transfer, which may happen before the loop takes the transfer.
package final class CancellationFlag: Sendable {
    private let flag = Atomic(false)

    /// A flag that is not set.
    package init() {}

    /// Whether it was set.
    package var isSet: Bool { flag.load(ordering: .acquiring) }

    /// Sets it for good.
    package func set() { flag.store(true, ordering: .releasing) }
}
