import ProviderModel
import Testing

@testable import RateLimits

@Suite struct SlidingWindowFeedbackTests {
    private let now = Timestamp.start

    private func later(_ seconds: Int) -> Timestamp { now + .seconds(seconds) }

    @Test func refusalClosesTheBucketUntilItsEnd() throws {
        var window = SlidingWindow(startingAt: .start)
        let id = window.reserve(at: now, under: .of()).id!
        window.apply(RateLimitFeedback(isRefusal: true, retryAfter: .seconds(30)), after: id, at: now, under: [])
        #expect(
            window.reserve(at: later(10), under: .of()).next == NextSlot(time: later(30), reason: .refusal))
        #expect(window.reserve(at: later(31), under: .of()).wait == .zero)
    }

    @Test func thoseAlreadyWaitingMoveBehindThePauseInTheirOrder() throws {
        var window = SlidingWindow(startingAt: .start)
        let ids = (0..<4).map { _ in window.reserve(at: now, under: .of("1/20s")).id! }
        let feedback = RateLimitFeedback(isRefusal: true, retryAfter: .seconds(100))
        window.apply(feedback, after: ids[0], at: later(1), under: [Limits.Rate("1/20s")!])
        #expect(ids[1...].map { window.time(of: $0) } == [later(101), later(122), later(143)])
        let claimed = window.claim(ids[1], at: later(21), under: .of("1/20s"))
        #expect(claimed.wait == .seconds(80))
        #expect(claimed.next.reason == .refusal)
        #expect(window.reserve(at: later(21), under: .of("1/20s")).next.time == later(164))
    }

    @Test func shorterPauseDoesNotEndALongerOne() throws {
        var window = SlidingWindow(startingAt: .start)
        let ids = (0..<2).map { _ in window.reserve(at: now, under: .of()).id! }
        for (id, seconds) in zip(ids, [100, 5]) {
            let feedback = RateLimitFeedback(isRefusal: true, retryAfter: .seconds(seconds))
            window.apply(feedback, after: id, at: now, under: [])
        }
        #expect(window.reserve(at: now, under: .of()).next.time == later(100))
    }

    @Test func refusalsThatDoNotSayUntilWhenPauseLongerAndLonger() throws {
        var window = SlidingWindow(startingAt: .start)
        var time = now
        var pauses: [Duration] = []
        for _ in 0..<8 {
            // Two at once are refused at once, and count as one.
            let ids = (0..<2).map { _ in window.reserve(at: time, under: .of("20/60s")).id! }
            for id in ids {
                let feedback = RateLimitFeedback(isRefusal: true)
                window.apply(feedback, after: id, at: time, under: [Limits.Rate("20/60s")!])
            }
            let end = try #require(window.closedUntil)
            pauses.append(end - time)
            time = end
        }
        #expect(pauses == [3, 6, 12, 24, 48, 60, 60, 60].map { .seconds($0) })
        // After peace and quiet it begins anew.
        time = time + .seconds(1_000)
        let id = window.reserve(at: time, under: .of("20/60s")).id!
        window.apply(RateLimitFeedback(isRefusal: true), after: id, at: time, under: [Limits.Rate("20/60s")!])
        #expect(try #require(window.closedUntil) - time == .seconds(3))
    }

    @Test func refusalOfARequestWithoutASlotIsAnotherOnlyIfItWasSentAfterThePause() throws {
        var window = SlidingWindow(startingAt: .start)
        let id = try #require(window.freePassage(at: now))
        let refusal = RateLimitFeedback(isRefusal: true)
        window.apply(refusal, after: id, sentAt: now, at: now, under: [])
        let first = try #require(window.closedUntil) - now
        window.apply(refusal, after: id, sentAt: now, at: later(30), under: [])
        #expect(try #require(window.closedUntil) == later(30) + first, "sent beside the first, refused late")
        window.apply(refusal, after: id, sentAt: later(40), at: later(40), under: [])
        #expect(try #require(window.closedUntil) == later(40) + first + first)
    }

    @Test func fewRemainingMakeUsSlowerThanDeclared() throws {
        var window = SlidingWindow(startingAt: .start)
        let rates = [Limits.Rate("100/60s")!]
        let id = window.reserve(at: now, under: .of("100/60s")).id!
        let feedback = RateLimitFeedback(quotas: [ServerQuota(limit: 100, remaining: 2, reset: later(40))])
        window.apply(feedback, after: id, at: now, under: rates)
        let next = (0..<3).map { _ in window.reserve(at: later(1), under: .of("100/60s")).next }
        #expect(next.map(\.time) == [later(1), later(1), later(40)])
        #expect(next.map(\.reason) == [nil, nil, .quota])
        #expect(window.reserve(at: later(41), under: .of("100/60s")).wait == .zero)
    }

    @Test func requestsUnderWayCountAgainstWhatRemains() throws {
        var window = SlidingWindow(startingAt: .start)
        let ids = (0..<3).map { _ in window.reserve(at: now, under: .of()).id! }
        let feedback = RateLimitFeedback(quotas: [ServerQuota(remaining: 2, reset: later(40))])
        window.apply(feedback, after: ids[0], at: later(1), under: [])
        #expect(window.reserve(at: later(1), under: .of()).next.time == later(40))
    }

    @Test func waitingRequestsBeyondWhatRemainsArePutOff() throws {
        var window = SlidingWindow(startingAt: .start)
        let rates = [Limits.Rate("1/20s")!]
        let ids = (0..<4).map { _ in window.reserve(at: now, under: .of("1/20s")).id! }
        let feedback = RateLimitFeedback(quotas: [ServerQuota(remaining: 1, reset: later(300))])
        window.apply(feedback, after: ids[0], at: later(1), under: rates)
        #expect(ids[1...].map { window.time(of: $0) } == [later(21), later(300), later(321)])
    }

    @Test func muchRemainingDoesNotMakeUsFaster() throws {
        var window = SlidingWindow(startingAt: .start)
        let id = window.reserve(at: now, under: .of("1/60s")).id!
        let feedback = RateLimitFeedback(quotas: [ServerQuota(limit: 9_999, remaining: 9_998, reset: later(1))])
        window.apply(feedback, after: id, at: now, under: [Limits.Rate("1/60s")!])
        #expect(window.reserve(at: now, under: .of("1/60s")).next.time == later(61))
    }

    @Test func answersThatOvertakeOneAnotherLeaveTheNewestWord() throws {
        var window = SlidingWindow(startingAt: .start)
        let ids = (0..<2).map { _ in window.reserve(at: now, under: .of()).id! }
        for (id, remaining) in [(ids[1], 0), (ids[0], 5)] {
            let feedback = RateLimitFeedback(quotas: [ServerQuota(remaining: remaining, reset: later(40))])
            window.apply(feedback, after: id, at: now, under: [])
        }
        #expect(window.reserve(at: now, under: .of()).next.time == later(40))
    }

    @Test func newerWordReplacesAnOlderOne() throws {
        var window = SlidingWindow(startingAt: .start)
        let ids = (0..<2).map { _ in window.reserve(at: now, under: .of()).id! }
        for (id, remaining) in zip(ids, [0, 10]) {
            let feedback = RateLimitFeedback(quotas: [ServerQuota(remaining: remaining, reset: later(40))])
            window.apply(feedback, after: id, at: now, under: [])
        }
        #expect(window.reserve(at: now, under: .of()).wait == .zero)
    }

    @Test(
        arguments: [
            // Nothing remains and no end is given: the share of one request.
            (ServerQuota(limit: 50, remaining: 0), ["50/1h"], 72), (ServerQuota(remaining: 0), ["50/1h"], 72),
            (ServerQuota(limit: 20, remaining: 0, window: .seconds(60)), ["20/60s", "200/1d"], 3),
            (ServerQuota(limit: 200, remaining: 0), ["20/60s", "200/1d"], 432), (ServerQuota(remaining: 0), [], 60),
            (ServerQuota(limit: 1_000, remaining: 0, window: .seconds(10)), [], 1),
            // A monthly reset: asking once a day is enough.
            (ServerQuota(remaining: 0, reset: Timestamp.start + .seconds(20 * 86_400)), [], 86_400),
        ] as [(ServerQuota, [String], Int)])
    func exhaustedLimitIsAskedAgain(quota: ServerQuota, rates: [String], seconds: Int) throws {
        var window = SlidingWindow(startingAt: .start)
        let rules = SlotRules(rates: rates.map { Limits.Rate($0)! }, deadline: Timestamp(milliseconds: .max))
        let id = window.reserve(at: now, under: rules).id!
        window.apply(RateLimitFeedback(quotas: [quota]), after: id, at: now, under: rules.rates)
        #expect(window.reserve(at: now, under: rules).wait == .seconds(seconds))
    }
}
