import Dispatch
import Glibc

/// What happens at Ctrl-C for as long as this lives.
final class Interrupts {
    private let source: any DispatchSourceSignal

    /// Calls `first` at the first Ctrl-C, and `second` at each further one.
    init(first: @escaping @Sendable () -> Void, second: @escaping @Sendable () -> Void) {
        // The source hears of the signal; nobody else is to act on it.
        signal(SIGINT, SIG_IGN)
        let queue = DispatchQueue(label: "imgscript.interrupts")
        source = DispatchSource.makeSignalSource(signal: SIGINT, queue: queue)
        nonisolated(unsafe) var isFirst = true  // touched on the queue alone
        source.setEventHandler {
            if isFirst { first() } else { second() }
            isFirst = false
        }
        source.resume()
    }

    /// Gives Ctrl-C back its usual meaning: the end.
    func cancel() {
        source.cancel()
        signal(SIGINT) { _ in _exit(ExitStatus.interrupted.rawValue) }
    }
}
