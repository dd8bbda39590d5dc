import Testing

@testable import HTTPTransport

@Suite struct StallDetectorTests {
    private let start = ContinuousClock.now

    private func detector() -> StallDetector {
        var settings = TransportSettings(version: "1")
        settings.connection.stallDeadline = .seconds(20)
        settings.minimumSpeed = 100
        settings.minimumSpeedTime = .seconds(10)
        return StallDetector(settings, stallTimeout: settings.connection.stallDeadline)
    }

    @Test func nothingIsWatchedBeforeTheRequestIsOut() {
        var detector = detector()
        #expect(detector.nextCheck == nil)
        #expect(detector.fault(at: start + .seconds(1_000)) == nil)
    }

    @Test func silenceIsAStall() {
        var detector = detector()
        detector.progressed(at: start)
        #expect(detector.nextCheck == start + .seconds(20))
        #expect(detector.fault(at: start + .seconds(19)) == nil)
        #expect(detector.fault(at: start + .seconds(20)) == .stalled(.seconds(20)))
    }

    @Test func waitForTheFirstByteIsNotSlowness() {
        var detector = detector()
        detector.progressed(at: start)
        detector.received(1, at: start + .seconds(19))
        #expect(detector.fault(at: start + .seconds(28)) == nil)
        #expect(detector.fault(at: start + .seconds(29)) == .slow(bytes: 1, in: .seconds(10)))
    }

    @Test(arguments: [(99, false), (100, true)])
    func speedIsThatOfTheLastTime(bytesPerSecond: Int, isEnough: Bool) {
        var detector = detector()
        detector.progressed(at: start)
        for second in 0..<10 { detector.received(bytesPerSecond, at: start + .seconds(second)) }
        #expect((detector.fault(at: start + .seconds(10)) == nil) == isEnough)
    }

    @Test func goodBeginningIsNoCreditForLater() {
        var detector = detector()
        detector.progressed(at: start)
        detector.received(1_000_000, at: start)
        #expect(detector.fault(at: start + .seconds(10)) == nil)
        detector.received(1, at: start + .seconds(11))
        #expect(detector.fault(at: start + .seconds(20)) == .slow(bytes: 1, in: .seconds(10)))
    }

    @Test func pauseOfTheSinkIsNotTheServersFault() {
        var detector = detector()
        detector.progressed(at: start)
        detector.received(1, at: start)
        detector.paused()
        #expect(detector.nextCheck == nil)
        #expect(detector.fault(at: start + .seconds(100)) == nil)
        detector.progressed(at: start + .seconds(100))
        #expect(detector.fault(at: start + .seconds(119)) == nil)
    }

    @Test func zeroIsNoMinimum() {
        var settings = TransportSettings(version: "1")
        settings.minimumSpeed = 0
        var detector = StallDetector(settings, stallTimeout: settings.connection.stallDeadline)
        detector.progressed(at: start)
        for second in 0..<1_000 {
            detector.received(1, at: start + .seconds(second))
            #expect(detector.fault(at: start + .seconds(second)) == nil)
        }
    }
}
