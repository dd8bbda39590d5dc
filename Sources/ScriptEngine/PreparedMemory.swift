import CSeccomp
import Glibc

/// Memory that is touched while the worker has nothing else to do.
///
/// The system hands out a piece of memory when it is first touched, and takes longer for it than the engine for filling it:
/// a page of 20 items, whose script leaves 120 kB behind, waits for that a fifth of its time.
final class PreparedMemory {
    /// As much as the messages lately had use for.
    private var wanted = PreparedMemory.least
    private var start: UnsafeMutableRawPointer?
    private var touched = 0

    private static let least = 256 << 10
    private static let most = 4 << 20
    /// What is touched in one go, in about 12 µs.
    private static let step = 32 << 10

    deinit { end() }

    /// Touches the next piece; false when there is enough.
    func touchMore() -> Bool {
        if start == nil { start = malloc(wanted) }
        guard let start, touched < wanted else { return false }
        process_touch_memory(start + touched, Self.step)
        touched += Self.step
        return true
    }

    /// Gives what is prepared to the engine.
    func end() {
        free(start)
        (start, touched) = (nil, 0)
    }

    /// Has the next message be expected to be about as long as this one: the engine takes some ten times as much for it.
    func note(messageOf bytes: Int) {
        let piece = min(max(wanted / 2, bytes * 12, Self.least), Self.most)
        wanted = (piece + Self.step - 1) / Self.step * Self.step
    }
}
