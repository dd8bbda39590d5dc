import ProviderModel
import Synchronization

/// What is being waited for, with the time that is left, second by second on a terminal and once elsewhere.
final class CountDown: Sendable {
    private let status: StatusLine
    private let ticking = Mutex<[String: Task<Void, Never>]>([:])

    init(on status: StatusLine) { self.status = status }

    deinit { for task in ticking.withLock(\.self).values { task.cancel() } }

    /// Shows a wait of so many seconds, in place of the subject's last one.
    func start(seconds: Int, reason: String, for subject: String) {
        let status = status
        guard status.terminal.style.hasColors else {
            return status.wait(Self.text(seconds, reason), for: subject)
        }
        let end = ContinuousClock.now + .seconds(seconds)
        let task = Task {
            while case let left = ContinuousClock.now.duration(to: end), left > .zero {
                status.wait(Self.text(Int((left / .seconds(1)).rounded(.up)), reason), for: subject)
                // Called off when the wait is over.
                guard (try? await Task.sleep(for: .seconds(1))) != nil else { return }
            }
            status.finishWaiting(for: subject)
        }
        ticking.withLock { $0.updateValue(task, forKey: subject) }?.cancel()
    }

    /// Takes away what was said about a wait that is over.
    func finish(for subject: String) {
        ticking.withLock { $0.removeValue(forKey: subject) }?.cancel()
        status.finishWaiting(for: subject)
    }

    /// `waiting 12 s (limit of 100 requests in 60 s)`.
    private static func text(_ seconds: Int, _ reason: String) -> String {
        "waiting \(Duration.seconds(seconds).inWords) (\(reason))"
    }
}
