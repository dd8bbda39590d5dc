import CJavaScriptCore
import Glibc

/// The time limit inside the engine, and the position of the script that exceeded it.
///
/// The engine's own limit counts the processor time of a script; the host counts wall time, and on a busy machine would stop
/// the script first, without its position. So the engine's timer only triggers a check, and the host's time decides.
final class ScriptWatchdog {
    /// A limit that has passed.
    struct Expiry {
        /// The script's stack at that moment, where it could be had.
        var stack: String?
    }

    /// How long a script has the processor before it is looked at.
    ///
    /// Not sooner: setting the engine's timer wakes a thread, which a search of some milliseconds goes without.
    private static let interval = Duration.milliseconds(100)

    /// Set from the moment the limit passes until the next call into a script from outside.
    private(set) var expiry: Expiry?
    private let context: JSGlobalContextRef
    private let now: () -> Duration
    private var depth = 0
    private var limit = Duration.zero
    private var end: Duration
    private var untilLook = Duration.zero

    /// A watchdog that takes its time from `now`, which is the host's time as well.
    init(context: JSGlobalContextRef, now: @escaping () -> Duration) {
        (self.context, self.now) = (context, now)
        end = now()
    }

    /// Gives each step so much time, beginning with this one.
    func limitTime(to limit: Duration) {
        self.limit = limit
        beginStep()
    }

    /// Begins a step, which has the whole time again.
    func beginStep() {
        guard limit > .zero else { return }
        end = now() + limit
        let time = min(limit, Self.interval)
        if time != untilLook { look(after: time) }
    }

    private func look(after time: Duration) {
        untilLook = time
        JSContextGroupSetExecutionTimeLimit(
            JSContextGetGroup(context), time / .seconds(1),
            { _, watchdog in
                guard let watchdog else { return true }
                return Unmanaged<ScriptWatchdog>.fromOpaque(watchdog).takeUnretainedValue().isOver()
            }, Unmanaged.passUnretained(self).toOpaque())
    }

    /// Begins a call into a script; calls nest where a script's call leads to another.
    func enter() {
        if depth == 0 { (expiry, CrashReport.timeHasPassed) = (nil, false) }
        depth += 1
    }

    func leave() { depth -= 1 }

    /// Whether the script's time is over; runs inside the script, between two of its instructions.
    private func isOver() -> Bool {
        let left = end - now()
        guard left > .zero else {
            expire()
            return true
        }
        // The engine checks again only at the next deadline. Towards the end more often: on a busy machine little of each
        // moment is the script's.
        look(after: max(min(Self.interval, left / 4), .milliseconds(5)))
        return false
    }

    private func expire() {
        expiry = Expiry()
        CrashReport.timeHasPassed = true
        // The engine notes the stack when it makes an Error; no script code runs for it, here or in reading it.
        let error = JSObjectMakeError(context, 0, nil, nil)
        guard let error, let stack = ScriptText("stack").use({ JSObjectGetProperty(context, error, $0, nil) }),
            JSValueIsString(context, stack), let text = JSValueToStringCopy(context, stack, nil)
        else { return }
        expiry?.stack = ScriptText(owning: text).string
    }
}

/// The monotonic clock: `ContinuousClock` is part of the concurrency runtime, which the worker does not have.
enum UpTime {
    /// The time since the machine started.
    static var now: Duration {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
    }
}
