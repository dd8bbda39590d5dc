import ProviderModel
import Testing

@testable import RateLimits

@Suite struct CorrectionTests {
    private let now = Timestamp.start

    private func later(_ seconds: Int) -> Timestamp { now + .seconds(seconds) }

    @Test func refusalClosesTheBucketUntilItsEnd() throws {
        var ledger = MemoryLedger()
        let ticket = try ledger.reserve(at: now, under: .of()).ticket!
        try ledger.correct(by: RateLimitFeedback(isRefusal: true, retryAfter: .seconds(30)), to: ticket, at: now, under: [])
        #expect(
            try ledger.reserve(at: later(10), under: .of()).opening == NextSlot(moment: later(30), reason: .refusal))
        #expect(try ledger.reserve(at: later(31), under: .of()).wait == .zero)
    }

    @Test func thoseAlreadyWaitingMoveBehindThePauseInTheirOrder() throws {
        var ledger = MemoryLedger()
        let tickets = try (0..<4).map { _ in try ledger.reserve(at: now, under: .of("1/20s")).ticket! }
        let word = RateLimitFeedback(isRefusal: true, retryAfter: .seconds(100))
        try ledger.correct(by: word, to: tickets[0], at: later(1), under: [Limits.Rate("1/20s")!])
        #expect(tickets[1...].map { ledger.moment(of: $0) } == [later(101), later(122), later(143)])
        let claimed = try ledger.claim(tickets[1], at: later(21), under: .of("1/20s"))
        #expect(claimed.wait == .seconds(80))
        #expect(claimed.opening.reason == .refusal)
        #expect(try ledger.reserve(at: later(21), under: .of("1/20s")).opening.moment == later(164))
    }

    @Test func shorterPauseDoesNotEndALongerOne() throws {
        var ledger = MemoryLedger()
        let tickets = try (0..<2).map { _ in try ledger.reserve(at: now, under: .of()).ticket! }
        for (ticket, seconds) in zip(tickets, [100, 5]) {
            let word = RateLimitFeedback(isRefusal: true, retryAfter: .seconds(seconds))
            try ledger.correct(by: word, to: ticket, at: now, under: [])
        }
        #expect(try ledger.reserve(at: now, under: .of()).opening.moment == later(100))
    }

    @Test func refusalsThatDoNotSayUntilWhenPauseLongerAndLonger() throws {
        var ledger = MemoryLedger()
        var time = now
        var pauses: [Duration] = []
        for _ in 0..<8 {
            // Two at once are refused at once, and count as one.
            let tickets = try (0..<2).map { _ in try ledger.reserve(at: time, under: .of("20/60s")).ticket! }
            for ticket in tickets {
                let word = RateLimitFeedback(isRefusal: true)
                try ledger.correct(by: word, to: ticket, at: time, under: [Limits.Rate("20/60s")!])
            }
            let end = try #require(ledger.state()?.closedUntil)
            pauses.append(end - time)
            time = end
        }
        #expect(pauses == [3, 6, 12, 24, 48, 60, 60, 60].map { .seconds($0) })
        // After peace and quiet it begins anew.
        time = time + .seconds(1_000)
        let ticket = try ledger.reserve(at: time, under: .of("20/60s")).ticket!
        try ledger.correct(by: RateLimitFeedback(isRefusal: true), to: ticket, at: time, under: [Limits.Rate("20/60s")!])
        #expect(try #require(ledger.state()?.closedUntil) - time == .seconds(3))
    }

    @Test func refusalOfARequestWithoutASlotIsAnotherOnlyIfItWasSentAfterThePause() throws {
        var ledger = MemoryLedger()
        let ticket = try #require(try ledger.freePassage(at: now))
        let refusal = RateLimitFeedback(isRefusal: true)
        try ledger.correct(by: refusal, to: ticket, sentAt: now, at: now, under: [])
        let first = try #require(ledger.state()?.closedUntil) - now
        try ledger.correct(by: refusal, to: ticket, sentAt: now, at: later(30), under: [])
        #expect(try #require(ledger.state()?.closedUntil) == later(30) + first, "sent beside the first, refused late")
        try ledger.correct(by: refusal, to: ticket, sentAt: later(40), at: later(40), under: [])
        #expect(try #require(ledger.state()?.closedUntil) == later(40) + first + first)
    }

    @Test func fewRemainingMakeUsSlowerThanDeclared() throws {
        var ledger = MemoryLedger()
        let rates = [Limits.Rate("100/60s")!]
        let ticket = try ledger.reserve(at: now, under: .of("100/60s")).ticket!
        let word = RateLimitFeedback(quotas: [ServerQuota(limit: 100, remaining: 2, reset: later(40))])
        try ledger.correct(by: word, to: ticket, at: now, under: rates)
        let next = try (0..<3).map { _ in try ledger.reserve(at: later(1), under: .of("100/60s")).opening }
        #expect(next.map(\.moment) == [later(1), later(1), later(40)])
        #expect(next.map(\.reason) == [nil, nil, .quota])
        #expect(try ledger.reserve(at: later(41), under: .of("100/60s")).wait == .zero)
    }

    @Test func requestsUnderWayCountAgainstWhatRemains() throws {
        var ledger = MemoryLedger()
        let tickets = try (0..<3).map { _ in try ledger.reserve(at: now, under: .of()).ticket! }
        let word = RateLimitFeedback(quotas: [ServerQuota(remaining: 2, reset: later(40))])
        try ledger.correct(by: word, to: tickets[0], at: later(1), under: [])
        #expect(try ledger.reserve(at: later(1), under: .of()).opening.moment == later(40))
    }

    @Test func waitingRequestsBeyondWhatRemainsArePutOff() throws {
        var ledger = MemoryLedger()
        let rates = [Limits.Rate("1/20s")!]
        let tickets = try (0..<4).map { _ in try ledger.reserve(at: now, under: .of("1/20s")).ticket! }
        let word = RateLimitFeedback(quotas: [ServerQuota(remaining: 1, reset: later(300))])
        try ledger.correct(by: word, to: tickets[0], at: later(1), under: rates)
        #expect(tickets[1...].map { ledger.moment(of: $0) } == [later(21), later(300), later(321)])
    }

    @Test func muchRemainingDoesNotMakeUsFaster() throws {
        var ledger = MemoryLedger()
        let ticket = try ledger.reserve(at: now, under: .of("1/60s")).ticket!
        let word = RateLimitFeedback(quotas: [ServerQuota(limit: 9_999, remaining: 9_998, reset: later(1))])
        try ledger.correct(by: word, to: ticket, at: now, under: [Limits.Rate("1/60s")!])
        #expect(try ledger.reserve(at: now, under: .of("1/60s")).opening.moment == later(61))
    }

    @Test func answersThatOvertakeOneAnotherLeaveTheNewestWord() throws {
        var ledger = MemoryLedger()
        let tickets = try (0..<2).map { _ in try ledger.reserve(at: now, under: .of()).ticket! }
        for (ticket, remaining) in [(tickets[1], 0), (tickets[0], 5)] {
            let word = RateLimitFeedback(quotas: [ServerQuota(remaining: remaining, reset: later(40))])
            try ledger.correct(by: word, to: ticket, at: now, under: [])
        }
        #expect(try ledger.reserve(at: now, under: .of()).opening.moment == later(40))
    }

    @Test func newerWordReplacesAnOlderOne() throws {
        var ledger = MemoryLedger()
        let tickets = try (0..<2).map { _ in try ledger.reserve(at: now, under: .of()).ticket! }
        for (ticket, remaining) in zip(tickets, [0, 10]) {
            let word = RateLimitFeedback(quotas: [ServerQuota(remaining: remaining, reset: later(40))])
            try ledger.correct(by: word, to: ticket, at: now, under: [])
        }
        #expect(try ledger.reserve(at: now, under: .of()).wait == .zero)
    }

    @Test(
        arguments: [
            // Nothing remains and no end is told: the share of one request.
            (ServerQuota(limit: 50, remaining: 0), ["50/1h"], 72), (ServerQuota(remaining: 0), ["50/1h"], 72),
            (ServerQuota(limit: 20, remaining: 0, window: .seconds(60)), ["20/60s", "200/1d"], 3),
            (ServerQuota(limit: 200, remaining: 0), ["20/60s", "200/1d"], 432), (ServerQuota(remaining: 0), [], 60),
            (ServerQuota(limit: 1_000, remaining: 0, window: .seconds(10)), [], 1),
            // A monthly reset: asking once a day is enough.
            (ServerQuota(remaining: 0, reset: Timestamp.start + .seconds(20 * 86_400)), [], 86_400),
        ] as [(ServerQuota, [String], Int)])
    func exhaustedLimitIsAskedAgain(quota: ServerQuota, rates: [String], seconds: Int) throws {
        var ledger = MemoryLedger()
        let rules = SlotRules(rates: rates.map { Limits.Rate($0)! }, deadline: Timestamp(milliseconds: .max))
        let ticket = try ledger.reserve(at: now, under: rules).ticket!
        try ledger.correct(by: RateLimitFeedback(quotas: [quota]), to: ticket, at: now, under: rules.rates)
        #expect(try ledger.reserve(at: now, under: rules).wait == .seconds(seconds))
    }
}
