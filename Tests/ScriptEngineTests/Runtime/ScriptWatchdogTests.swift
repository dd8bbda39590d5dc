import Testing

@testable import ScriptEngine

/// The engine itself looks only at times that a script has the processor; the clock here is the test's.
@Suite("A script's time is that of the clock on the wall, not that of the processor", .timeLimit(.minutes(1)))
struct ScriptWatchdogTests {
    /// A clock that a test sets, and how often it was looked at.
    private final class SetClock {
        private(set) var looks = 0
        private var isStarted = false
        /// The time at each look.
        private let time: (Int) -> Duration

        init(_ time: @escaping (Int) -> Duration) { self.time = time }

        func now() -> Duration {
            if isStarted { looks += 1 }
            return time(looks)
        }

        func beginCounting() { isStarted = true }
    }

    private static let loop = """
        const spin = () => {
          for (;;) if (looks() >= 3) return 'done';
        };
        spin()
        """

    /// What comes of a loop until the watchdog has looked three times; a step has two seconds.
    private func run(by clock: SetClock) throws -> String {
        let runtime = TestEngine(now: clock.now).environment.runtime
        let looks = runtime.function("looks") { [unowned runtime] _ in runtime.value(Double(clock.looks)) }
        runtime.set("looks", of: try runtime.object(runtime.evaluate("globalThis", file: "test.js")), to: looks)
        runtime.limitTime(to: .seconds(2))
        clock.beginCounting()
        do throws(ScriptRuntime.Interruption) {
            return runtime.string(try runtime.evaluate(Self.loop, file: "test.js")) ?? "nothing"
        } catch {
            guard case .timeLimit(let stack) = error else { return "\(error)" }
            return stack ?? "no stack"
        }
    }

    @Test func scriptThatHadTheProcessorForAMomentOnlyIsStoppedAtItsLine() throws {
        let clock = SetClock { looks in looks < 2 ? .zero : .seconds(3) }
        let stack = try run(by: clock)
        #expect(stack.contains("spin@test.js:2:"), "\(stack)")
        #expect(clock.looks == 2)
    }

    @Test func scriptGoesOnAsLongAsTheClockSays() throws {
        let clock = SetClock { looks in .milliseconds(100 * looks) }
        #expect(try run(by: clock) == "done")
        #expect(clock.looks == 3)
    }
}
