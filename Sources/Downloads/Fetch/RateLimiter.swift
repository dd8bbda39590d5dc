import Synchronization

/// Limits the throughput of all downloads together.
package final class RateLimiter: Sendable {
    private struct State {
        var bucket: TokenBucket
        var waiting: [@Sendable () -> Void] = []
    }

    private let state: Mutex<State>
    private let start = ContinuousClock.now

    /// A limit in bytes a second.
    package init(bytesPerSecond: Int) { state = Mutex(State(bucket: TokenBucket(rate: bytesPerSecond))) }

    /// Whether bytes may be taken now; otherwise `resume` is called when it is worth asking again.
    func admits(_ count: Int, resume: @escaping @Sendable () -> Void) -> Bool {
        state.withLock { state in
            if state.bucket.take(count, at: .now - start) { return true }
            state.waiting.append(resume)
            return false
        }
    }

    /// Resumes waiting transfers at intervals, until it is cancelled.
    func run() async {
        while !Task.isCancelled {
            // Only cancellation ends this sleep early.
            try? await Task.sleep(for: .milliseconds(20))
            let ready = state.withLock { state in
                guard state.bucket.isOpen(at: .now - start) else { return [@Sendable () -> Void]() }
                defer { state.waiting = [] }
                return state.waiting
            }
            for resume in ready { resume() }
        }
        for resume in state.withLock({ $0.waiting }) { resume() }
    }
}

/// Tokens that come in at a steady rate; a taking may overdraw them, and then nothing more goes until they are back.
package struct TokenBucket: Hashable, Sendable {
    private let rate: Double
    private let depth: Double
    private var tokens: Double
    private var last = Duration.zero

    /// A full bucket, which holds a tenth of a second's tokens.
    package init(rate: Int) {
        self.rate = Double(max(rate, 1))
        depth = self.rate / 10
        tokens = depth
    }

    /// Takes tokens, unless those of before are not back yet.
    package mutating func take(_ count: Int, at now: Duration) -> Bool {
        guard isOpen(at: now) else { return false }
        tokens -= Double(count)
        return true
    }

    /// Whether something may be taken.
    package mutating func isOpen(at now: Duration) -> Bool {
        tokens = min(depth, tokens + (now - last) / .seconds(1) * rate)
        last = now
        return tokens > 0
    }
}
