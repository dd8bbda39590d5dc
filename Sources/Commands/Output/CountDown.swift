import ProviderModel
import Synchronization

/// What is being waited for, with the time that is left, second by second on a terminal and once elsewhere.
final class CountDown: Sendable {
    private let status: StatusLine
    private let waits = Mutex(Waits())

    /// By subject; a wait that another took the place of has nothing more to say, however late it looks at the clock.
    private struct Waits {
        var count = 0
        var current: [String: (number: Int, ticking: Task<Void, Never>)] = [:]
    }

    init(on status: StatusLine) { self.status = status }

    deinit { for wait in waits.withLock(\.current).values { wait.ticking.cancel() } }

    /// Shows a wait of so many seconds, in place of the subject's last one.
    func start(seconds: Int, reason: String, for subject: String) {
        guard status.terminal.style.hasColors else {
            return status.wait(Self.text(seconds, reason), for: subject)
        }
        let end = ContinuousClock.now + .seconds(seconds)
        waits.withLock { waits in
            waits.count += 1
            let number = waits.count
            let ticking = Task { [weak self] in
                while self?.show(number, until: end, reason, for: subject) == true {
                    // Called off when the wait is over.
                    guard (try? await Task.sleep(for: .seconds(1))) != nil else { return }
                }
            }
            waits.current.updateValue((number, ticking), forKey: subject)?.ticking.cancel()
        }
    }

    /// Takes away what was said about a wait that is over.
    func finish(for subject: String) {
        waits.withLock { waits in
            waits.current.removeValue(forKey: subject)?.ticking.cancel()
            status.finishWaiting(for: subject)
        }
    }

    /// Shows what is left; false when nothing is, or nobody waits for this any more.
    private func show(
        _ number: Int, until end: ContinuousClock.Instant, _ reason: String, for subject: String
    ) -> Bool {
        waits.withLock { waits in
            guard waits.current[subject]?.number == number else { return false }
            let left = ContinuousClock.now.duration(to: end)
            guard left > .zero else {
                status.finishWaiting(for: subject)
                return false
            }
            status.wait(Self.text(Int((left / .seconds(1)).rounded(.up)), reason), for: subject)
            return true
        }
    }

    /// `waiting 12 s (limit of 100 requests in 60 s)`.
    private static func text(_ seconds: Int, _ reason: String) -> String {
        "waiting \(Duration.seconds(seconds).inWords) (\(reason))"
    }
}
