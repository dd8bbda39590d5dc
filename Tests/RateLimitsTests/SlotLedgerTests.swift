import ProviderModel
import TestSupport
import Testing

@testable import RateLimits

@Suite struct SlotLedgerTests {
    private let now = Timestamp.start

    private func later(_ seconds: Double) -> Timestamp { now + .milliseconds(Int64(seconds * 1_000)) }

    @Test func wholeWindowMayGoAtOnceAndThenWaits() throws {
        var ledger = MemoryLedger()
        for _ in 0..<20 { #expect(try ledger.reserve(at: now, under: .of("20/60s")).wait == .zero) }
        let next = try ledger.reserve(at: later(10), under: .of("20/60s"))
        #expect(next.opening == NextSlot(moment: later(61), reason: .rate(Limits.Rate("20/60s")!)))
        #expect(next.wait == .seconds(51))
    }

    @Test func everyWindowHolds() throws {
        var ledger = MemoryLedger()
        let rules = SlotRules.of("2/10s", "3/1h")
        let moments = try (0..<5).map { _ in try ledger.reserve(at: now, under: rules).opening.moment }
        #expect(moments == [now, now, later(10.5), later(3_601), later(3_601)])
    }

    @Test func requestThatWouldWaitTooLongHoldsNothing() throws {
        var ledger = MemoryLedger()
        let rules = SlotRules.of("1/1d", until: later(600))
        _ = try ledger.reserve(at: now, under: rules)
        for _ in 0..<3 {
            #expect(
                try ledger.reserve(at: now, under: rules)
                    == .tooLate(
                        NextSlot(moment: later(86_401), reason: .rate(Limits.Rate("1/1d")!)), wait: .seconds(86_401)))
        }
    }

    @Test func releasedSlotIsFreeForTheNext() throws {
        var ledger = MemoryLedger()
        _ = try ledger.reserve(at: now, under: .of("1/60s"))
        let waiting = try ledger.reserve(at: now, under: .of("1/60s"))
        try ledger.release(try #require(waiting.ticket))
        #expect(try ledger.reserve(at: now, under: .of("1/60s")).opening.moment == waiting.opening.moment)
    }

    @Test func nobodyIsPassedByALaterOne() throws {
        var ledger = MemoryLedger()
        let tickets = try (0..<7).map { _ in try ledger.reserve(at: now, under: .of("3/20s")).ticket! }
        #expect(ledger.moment(of: tickets[6]) == later(42))
        for ticket in tickets[3...4] { try ledger.release(ticket) }
        #expect(try ledger.reserve(at: now, under: .of("3/20s")).opening == NextSlot(moment: later(42), reason: .queue))
    }

    @Test func slotOfAProcessThatDiedIsAllThatIsLost() throws {
        var ledger = MemoryLedger()
        let moments = try (0..<4).map { _ in try ledger.reserve(at: now, under: .of("1/20s")).opening.moment }
        #expect(moments == [now, later(21), later(42), later(63)])
        // The second never claims its slot.
        #expect(try ledger.reserve(at: later(43), under: .of("1/20s")).opening.moment == later(84))
    }

    @Test func requestGoesAtItsSlotAndNotBefore() throws {
        var ledger = MemoryLedger()
        _ = try ledger.reserve(at: now, under: .of("1/60s"))
        let ticket = try #require(try ledger.reserve(at: now, under: .of("1/60s")).ticket)
        #expect(try ledger.claim(ticket, at: later(60), under: .of("1/60s")).wait == .seconds(1))
        #expect(try ledger.claim(ticket, at: later(61.9), under: .of("1/60s")).wait < .zero)
    }

    @Test func requestThatComesABitLatePutsOffThoseBehindIt() throws {
        var ledger = MemoryLedger()
        let tickets = try (0..<4).map { _ in try ledger.reserve(at: now, under: .of("1/60s")).ticket! }
        let claimed = try ledger.claim(tickets[1], at: later(62.5), under: .of("1/60s"))
        #expect(claimed == .slot(tickets[1], NextSlot(moment: later(62.5), reason: nil), wait: .zero))
        #expect(tickets[2...].map { ledger.moment(of: $0) } == [later(123.5), later(184.5)])
    }

    @Test func requestThatComesTooLateGetsAnotherSlot() throws {
        var ledger = MemoryLedger()
        let tickets = try (0..<3).map { _ in try ledger.reserve(at: now, under: .of("1/60s")).ticket! }
        // The machine slept: the second is late by so much that it would go together with the third.
        let again = try ledger.claim(tickets[1], at: later(121.5), under: .of("1/60s"))
        #expect(again.opening.moment == later(183))
        #expect(again.ticket != tickets[1])
    }

    @Test func ticketOfALostFileGetsAnotherSlot() throws {
        var lost = MemoryLedger()
        let ticket = try #require(try lost.reserve(at: now, under: .of("1/60s")).ticket)
        var ledger = MemoryLedger()
        _ = try ledger.reserve(at: later(5), under: .of("1/60s"))
        #expect(try ledger.claim(ticket, at: later(10), under: .of("1/60s")).opening.moment == later(66))
    }

    @Test func clockThatIsSetBackKeepsNobodyWaitingLonger() throws {
        var ledger = MemoryLedger()
        _ = try ledger.reserve(at: now, under: .of("1/60s"))
        let waiting = try ledger.reserve(at: later(1), under: .of("1/60s"))
        #expect(waiting.wait == .seconds(60))
        let hourBefore = later(1 - 3_600)
        #expect(try ledger.claim(waiting.ticket!, at: hourBefore, under: .of("1/60s")).wait == .seconds(60))
        #expect(try ledger.reserve(at: hourBefore, under: .of("1/60s")).wait == .seconds(121))
    }

    @Test func oldSlotsAreForgotten() throws {
        var ledger = MemoryLedger()
        let first = try #require(try ledger.reserve(at: now, under: .of("5/60s")).ticket)
        _ = try ledger.reserve(at: later(601), under: .of("5/60s"))
        #expect(ledger.moment(of: first) == nil)
    }

    @Test(arguments: 0..<20)
    func randomArrivalsNeverPassARateInAnySpan(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        let rates = [["5/1s", "20/10s"], ["1/1s"], ["20/60s", "200/1d"], ["7/3s", "8/5s", "50/1h"]].randomElement(
            using: &generator)!.map { Limits.Rate($0)! }
        let rules = SlotRules(rates: rates, deadline: Timestamp(milliseconds: .max))
        var ledger = MemoryLedger()
        var time = now
        var sent: [Timestamp] = []
        var waiting: [(ticket: ReservationID, until: Timestamp)] = []
        for _ in 0..<400 {
            time =
                time
                + .milliseconds(Int64.random(in: 0...(Bool.random(using: &generator) ? 0 : 900), using: &generator))
            for index in waiting.indices.reversed() where waiting[index].until <= time {
                let waiter = waiting.remove(at: index)
                let claimed = try ledger.claim(waiter.ticket, at: time, under: rules)
                if claimed.wait <= .zero {
                    sent.append(time)
                } else {
                    waiting.append((claimed.ticket!, claimed.opening.moment))
                }
            }
            let reservation = try ledger.reserve(at: time, under: rules)
            switch Int.random(in: 0..<10, using: &generator) {
            case 0: try ledger.release(reservation.ticket!)
            case _ where reservation.wait <= .zero: sent.append(time)
            default: waiting.append((reservation.ticket!, reservation.opening.moment))
            }
        }
        for rate in rates { #expect(mostWithin(rate.window, of: sent) <= rate.requests, "\(rate)") }
        #expect(!sent.isEmpty)
    }
}
