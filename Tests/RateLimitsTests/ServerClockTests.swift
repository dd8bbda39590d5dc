import ProviderModel
import Testing

@testable import RateLimits

@Suite struct ServerClockTests {
    private let now = Timestamp.start

    @Test(
        arguments: [
            ("30", nil, 30), ("30.5", nil, 30), ("0", nil, 0), ("1795244460", nil, 60), ("1795244460000", nil, 60),
            ("2026-11-21T07:01:00Z", nil, 60), ("2026-11-21T07:01:00.484477Z", nil, 60),
            ("2026-11-21T08:01:00+01:00", nil, 60), ("2026-11-21 07:01:00", nil, 60), ("\"30\"", nil, 30),
            ("Sat, 21 Nov 2026 07:01:00 GMT", nil, 60),
            ("30", .seconds, 30), ("1795244460", .unix, 60), ("2026-11-21T07:01:00-0000", .iso, 60),
            // Declared wrongly, or changed since.
            ("1795244460", .seconds, 60), ("30", .unix, 30), ("30", .iso, 30), ("2026-11-21T07:01:00Z", .unix, 60),
            // Over already.
            ("1795244000", .unix, 0), ("2026-11-21T06:59:00Z", .iso, 0), ("1000000000", nil, 0),
        ] as [(String, Limits.ResetUnit?, Int)])
    func resetIsReadAsDeclaredOrAsItLooks(text: String, unit: Limits.ResetUnit?, seconds: Int) throws {
        let reset = try #require(ServerClock(nil, now: now).reset(text, unit: unit))
        #expect((reset - now).components.seconds == Int64(seconds))
    }

    @Test(arguments: [
        "", "soon", "-5", "nan", "inf", "1e400", "99999999999999999999", "40000000", "2026-13-01T00:00:00Z",
        "2026-11-21T07:01:00Q", "9999-01-01T00:00:00Z", "2026-11-21",
    ])
    func unreadableTextIsNoReset(text: String) {
        #expect(ServerClock(nil, now: now).reset(text) == nil)
    }

    @Test func timesAreCountedFromTheServersClock() {
        // The server is ten minutes ahead of us.
        let clock = ServerClock("Sat, 21 Nov 2026 07:10:00 GMT", now: now)
        #expect(clock.reset("2026-11-21T07:11:00Z") == now + .seconds(60))
        #expect(clock.reset("1795245060") == now + .seconds(60))
        #expect(clock.reset("60") == now + .seconds(60))
        #expect(clock.retryAfter("Sat, 21 Nov 2026 07:11:00 GMT") == .seconds(60))
    }

    @Test func momentsAtTheEndOfTimeDoNotTrap() {
        let end = Timestamp(seconds: .max)
        #expect(end + .seconds(1) == Timestamp(milliseconds: .max))
        #expect(end - Timestamp(milliseconds: .min) == .milliseconds(Int64.max))
        #expect(Timestamp(milliseconds: -1).seconds == -1)
        #expect(now + .nanoseconds(1) == Timestamp(milliseconds: now.milliseconds + 1))
        #expect(now - .nanoseconds(1) == now)
        #expect(now + .seconds(Int64.max) == Timestamp(milliseconds: .max))
    }
}
