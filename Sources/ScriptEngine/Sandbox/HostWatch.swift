import Glibc

/// Ends the worker when its host has gone, whatever a script is doing at that moment.
///
/// `PR_SET_PDEATHSIG` would not do: it looks at the thread that started the worker, and hosts start workers from
/// threads of a pool that come and go.
enum HostWatch {
    /// Starts watching standard input for its last writer to close it.
    static func start() {
        var attributes = pthread_attr_t()
        pthread_attr_init(&attributes)
        // What a thread may use as its stack counts as memory of the process.
        pthread_attr_setstacksize(&attributes, 128 << 10)
        var thread = pthread_t()
        let code = pthread_create(
            &thread, &attributes,
            { _ in
                var entry = pollfd(fd: STDIN_FILENO, events: 0, revents: 0)
                // Asked for nothing, `poll` reports a hang-up and errors only.
                while poll(&entry, 1, -1) <= 0 {}
                _exit(0)
            }, nil)
        pthread_attr_destroy(&attributes)
        precondition(code == 0, "no thread to watch the host with: \(code)")
    }
}
