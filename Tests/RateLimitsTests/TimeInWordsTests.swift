import Glibc
import ProviderModel
import Testing

@testable import RateLimits

@Suite struct TimeInWordsTests {
    @Test(arguments: [
        (0, "0 s"), (60, "60 s"), (120, "120 s"), (121, "3 min"), (600, "10 min"), (3_600, "1 h"),
        (18_700, "5 h 12 min"), (86_400, "1 day"), (90_001, "1 day 2 h"), (259_200, "3 days"), (-5, "0 s"),
    ])
    func durations(seconds: Int, words: String) {
        #expect(Duration.seconds(seconds).inWords == words)
    }

    @Test func partsOfASecondCount() {
        #expect(Duration.milliseconds(1_001).inWords == "2 s")
    }

    @Test(arguments: [
        ("100/60s", "100 requests in 60 s"), ("1/1h", "1 request in 1 h"), ("200/1d", "200 requests in 1 day"),
    ])
    func rates(text: String, sentence: String) {
        #expect(Limits.Rate(text)!.sentence == sentence)
    }

    @Test func otherDaysAreNamed() {
        let time = LocalCalendar.universal
        #expect(time.text(of: .start + .seconds(3_661), now: .start) == "08:01")
        #expect(time.text(of: .start + .seconds(86_400), now: .start) == "2026-11-22 07:00")
        #expect(time.text(of: .start + .seconds(365 * 86_400), now: .start) == "2027-11-21 07:00")
    }
}

extension LocalCalendar {
    /// Greenwich, wherever the tests run.
    static let universal = LocalCalendar { seconds in
        var time = time_t(seconds)
        var parts = tm()
        gmtime_r(&time, &parts)
        return parts
    }
}
