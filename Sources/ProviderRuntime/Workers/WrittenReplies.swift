import Glibc
import WorkerProtocol

/// What a worker would say, ready to be read, where there is no worker.
final class WrittenReplies {
    /// Takes what is said to the worker, and forgets it.
    let input: Int32
    /// Gives the messages, then ends.
    let output: Int32

    /// The messages in their order; no more than a pipe holds at once.
    init(_ messages: [WorkerMessage]) throws(WorkerFault) {
        var ends: [Int32] = [-1, -1]
        input = open("/dev/null", O_WRONLY | O_CLOEXEC)
        let isOpen = input >= 0 && pipe(&ends) == 0
        output = ends[0]
        guard isOpen else { throw .notStarted("a rehearsal", code: errno) }
        defer { close(ends[1]) }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        _ = fcntl(ends[1], F_SETFL, O_NONBLOCK)
        let frames = messages.flatMap(\.frame)
        guard write(ends[1], frames, frames.count) == frames.count else {
            throw .notStarted("a rehearsal", code: errno)
        }
    }

    deinit {
        close(input)
        close(output)
    }
}
