import ProviderModel
import TestSupport
import Testing

@testable import RateLimits

@Suite struct SlidingWindowTests {
    private let now = Timestamp.start

    private func later(_ seconds: Double) -> Timestamp { now + .milliseconds(Int64(seconds * 1_000)) }

    @Test func wholeWindowMayGoAtOnceAndThenWaits() throws {
        var window = SlidingWindow(startingAt: .start)
        for _ in 0..<20 { #expect(window.reserve(at: now, under: .of("20/60s")).wait == .zero) }
        let next = window.reserve(at: later(10), under: .of("20/60s"))
        #expect(next.next == NextSlot(time: later(61), reason: .rate(Limits.Rate("20/60s")!)))
        #expect(next.wait == .seconds(51))
    }

    @Test func everyWindowHolds() throws {
        var window = SlidingWindow(startingAt: .start)
        let rules = SlotRules.of("2/10s", "3/1h")
        let moments = (0..<5).map { _ in window.reserve(at: now, under: rules).next.time }
        #expect(moments == [now, now, later(10.5), later(3_601), later(3_601)])
    }

    @Test func requestThatWouldWaitTooLongHoldsNothing() throws {
        var window = SlidingWindow(startingAt: .start)
        let rules = SlotRules.of("1/1d", until: later(600))
        _ = window.reserve(at: now, under: rules)
        for _ in 0..<3 {
            #expect(
                window.reserve(at: now, under: rules)
                    == .tooLate(
                        NextSlot(time: later(86_401), reason: .rate(Limits.Rate("1/1d")!)), wait: .seconds(86_401)))
        }
    }

    @Test func releasedSlotIsFreeForTheNext() throws {
        var window = SlidingWindow(startingAt: .start)
        _ = window.reserve(at: now, under: .of("1/60s"))
        let waiting = window.reserve(at: now, under: .of("1/60s"))
        window.release(try #require(waiting.id))
        #expect(window.reserve(at: now, under: .of("1/60s")).next.time == waiting.next.time)
    }

    @Test func requestsAreServedInOrder() throws {
        var window = SlidingWindow(startingAt: .start)
        let ids = (0..<7).map { _ in window.reserve(at: now, under: .of("3/20s")).id! }
        #expect(window.time(of: ids[6]) == later(42))
        for id in ids[3...4] { window.release(id) }
        #expect(window.reserve(at: now, under: .of("3/20s")).next == NextSlot(time: later(42), reason: .queue))
    }

    @Test func slotOfAProcessThatDiedIsAllThatIsLost() throws {
        var window = SlidingWindow(startingAt: .start)
        let moments = (0..<4).map { _ in window.reserve(at: now, under: .of("1/20s")).next.time }
        #expect(moments == [now, later(21), later(42), later(63)])
        // The second never claims its slot.
        #expect(window.reserve(at: later(43), under: .of("1/20s")).next.time == later(84))
    }

    @Test func requestGoesAtItsSlotAndNotBefore() throws {
        var window = SlidingWindow(startingAt: .start)
        _ = window.reserve(at: now, under: .of("1/60s"))
        let id = try #require(window.reserve(at: now, under: .of("1/60s")).id)
        #expect(window.claim(id, at: later(60), under: .of("1/60s")).wait == .seconds(1))
        #expect(window.claim(id, at: later(61.9), under: .of("1/60s")).wait < .zero)
    }

    @Test func requestThatComesABitLatePutsOffThoseBehindIt() throws {
        var window = SlidingWindow(startingAt: .start)
        let ids = (0..<4).map { _ in window.reserve(at: now, under: .of("1/60s")).id! }
        let claimed = window.claim(ids[1], at: later(62.5), under: .of("1/60s"))
        #expect(claimed == .slot(ids[1], NextSlot(time: later(62.5), reason: nil), wait: .zero))
        #expect(ids[2...].map { window.time(of: $0) } == [later(123.5), later(184.5)])
    }

    @Test func requestThatComesTooLateGetsAnotherSlot() throws {
        var window = SlidingWindow(startingAt: .start)
        let ids = (0..<3).map { _ in window.reserve(at: now, under: .of("1/60s")).id! }
        // The machine slept: the second is late by so much that it would go together with the third.
        let again = window.claim(ids[1], at: later(121.5), under: .of("1/60s"))
        #expect(again.next.time == later(183))
        #expect(again.id != ids[1])
    }

    @Test func idOfALostFileGetsAnotherSlot() throws {
        var lost = SlidingWindow(startingAt: .start)
        let id = try #require(lost.reserve(at: now, under: .of("1/60s")).id)
        var window = SlidingWindow(startingAt: later(5))
        _ = window.reserve(at: later(5), under: .of("1/60s"))
        #expect(window.claim(id, at: later(10), under: .of("1/60s")).next.time == later(66))
    }

    @Test func clockThatIsSetBackDelaysNoRequest() throws {
        var window = SlidingWindow(startingAt: .start)
        _ = window.reserve(at: now, under: .of("1/60s"))
        let waiting = window.reserve(at: later(1), under: .of("1/60s"))
        #expect(waiting.wait == .seconds(60))
        let hourBefore = later(1 - 3_600)
        #expect(window.claim(waiting.id!, at: hourBefore, under: .of("1/60s")).wait == .seconds(60))
        #expect(window.reserve(at: hourBefore, under: .of("1/60s")).wait == .seconds(121))
    }

    @Test func oldSlotsAreForgotten() throws {
        var window = SlidingWindow(startingAt: .start)
        let first = try #require(window.reserve(at: now, under: .of("5/60s")).id)
        _ = window.reserve(at: later(601), under: .of("5/60s"))
        #expect(window.time(of: first) == nil)
    }

    @Test(arguments: 0..<20)
    func randomArrivalsNeverPassARateInAnySpan(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        let rates = [["5/1s", "20/10s"], ["1/1s"], ["20/60s", "200/1d"], ["7/3s", "8/5s", "50/1h"]].randomElement(
            using: &generator)!.map { Limits.Rate($0)! }
        let rules = SlotRules(rates: rates, deadline: Timestamp(milliseconds: .max))
        var window = SlidingWindow(startingAt: .start)
        var time = now
        var sent: [Timestamp] = []
        var waiting: [(id: ReservationID, until: Timestamp)] = []
        for _ in 0..<400 {
            time =
                time
                + .milliseconds(Int64.random(in: 0...(Bool.random(using: &generator) ? 0 : 900), using: &generator))
            for index in waiting.indices.reversed() where waiting[index].until <= time {
                let waiter = waiting.remove(at: index)
                let claimed = window.claim(waiter.id, at: time, under: rules)
                if claimed.wait <= .zero {
                    sent.append(time)
                } else {
                    waiting.append((claimed.id!, claimed.next.time))
                }
            }
            let reservation = window.reserve(at: time, under: rules)
            switch Int.random(in: 0..<10, using: &generator) {
            case 0: window.release(reservation.id!)
            case _ where reservation.wait <= .zero: sent.append(time)
            default: waiting.append((reservation.id!, reservation.next.time))
            }
        }
        for rate in rates { #expect(mostWithin(rate.window, of: sent) <= rate.requests, "\(rate)") }
        #expect(!sent.isEmpty)
    }
}
