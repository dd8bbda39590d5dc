import Testing

@testable import HTTPTransport

@Suite struct FlowWatchTests {
    private let start = ContinuousClock.now

    private func watch() -> FlowWatch {
        var settings = TransportSettings(version: "1")
        settings.stallDeadline = .seconds(20)
        settings.minimumSpeed = 100
        settings.minimumSpeedTime = .seconds(10)
        return FlowWatch(settings)
    }

    @Test func nothingIsWatchedBeforeTheRequestIsOut() {
        var watch = watch()
        #expect(watch.nextCheck == nil)
        #expect(watch.fault(at: start + .seconds(1_000)) == nil)
    }

    @Test func silenceIsAStall() {
        var watch = watch()
        watch.moved(at: start)
        #expect(watch.nextCheck == start + .seconds(20))
        #expect(watch.fault(at: start + .seconds(19)) == nil)
        #expect(watch.fault(at: start + .seconds(20)) == .stalled(.seconds(20)))
    }

    @Test func waitForTheFirstByteIsNotSlowness() {
        var watch = watch()
        watch.moved(at: start)
        watch.received(1, at: start + .seconds(19))
        #expect(watch.fault(at: start + .seconds(28)) == nil)
        #expect(watch.fault(at: start + .seconds(29)) == .slow(bytes: 1, in: .seconds(10)))
    }

    @Test(arguments: [(99, false), (100, true)])
    func speedIsThatOfTheLastTime(bytesPerSecond: Int, isEnough: Bool) {
        var watch = watch()
        watch.moved(at: start)
        for second in 0..<10 { watch.received(bytesPerSecond, at: start + .seconds(second)) }
        #expect((watch.fault(at: start + .seconds(10)) == nil) == isEnough)
    }

    @Test func goodBeginningIsNoCreditForLater() {
        var watch = watch()
        watch.moved(at: start)
        watch.received(1_000_000, at: start)
        #expect(watch.fault(at: start + .seconds(10)) == nil)
        watch.received(1, at: start + .seconds(11))
        #expect(watch.fault(at: start + .seconds(20)) == .slow(bytes: 1, in: .seconds(10)))
    }

    @Test func pauseOfTheSinkIsNotTheServersFault() {
        var watch = watch()
        watch.moved(at: start)
        watch.received(1, at: start)
        watch.paused()
        #expect(watch.nextCheck == nil)
        #expect(watch.fault(at: start + .seconds(100)) == nil)
        watch.moved(at: start + .seconds(100))
        #expect(watch.fault(at: start + .seconds(119)) == nil)
    }

    @Test func zeroIsNoMinimum() {
        var settings = TransportSettings(version: "1")
        settings.minimumSpeed = 0
        var watch = FlowWatch(settings)
        watch.moved(at: start)
        for second in 0..<1_000 {
            watch.received(1, at: start + .seconds(second))
            #expect(watch.fault(at: start + .seconds(second)) == nil)
        }
    }
}
