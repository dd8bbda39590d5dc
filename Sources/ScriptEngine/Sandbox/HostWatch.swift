import Glibc
import WorkerProtocol

/// Ends the worker when its host has exited, whatever a script is doing at that moment.
///
/// `PR_SET_PDEATHSIG` would not do: it looks at the thread that started the worker, and hosts start workers from
/// threads of a pool that come and go.
enum HostWatch {
    /// Watches standard input for the host to close it, while `body` runs in a thread of its own.
    ///
    /// The thread's stack has a size of our choice, whatever the user's limits are.
    static func watch(while body: @escaping @Sendable () -> Never) -> Never {
        let work = Unmanaged.passRetained(Work(body: body))
        var attributes = pthread_attr_t()
        pthread_attr_init(&attributes)
        pthread_attr_setstacksize(&attributes, stackSize)
        var thread = pthread_t()
        let code = pthread_create(
            &thread, &attributes, { Unmanaged<Work>.fromOpaque($0!).takeRetainedValue().body() }, work.toOpaque())
        precondition(code == 0, "could not create a thread for the engine: \(code)")
        var entry = pollfd(fd: STDIN_FILENO, events: 0, revents: 0)
        // Asked for nothing, `poll` reports a hang-up and errors only.
        while poll(&entry, 1, -1) <= 0 {}
        _exit(0)
    }

    /// What a main thread has on most systems; the engine uses up to 5 MB of it.
    private static let stackSize = 8 << 20

    private final class Work: Sendable {
        let body: @Sendable () -> Never

        init(body: @escaping @Sendable () -> Never) { self.body = body }
    }
}
