import Testing

@testable import Commands

struct ProgressFrameTests {
    private static let frame: ProgressFrame = {
        var frame = ProgressFrame()
        frame.files = [
            .init(path: "unsplash/abc-red-fox.jpg", bytes: 1_550_000, length: 3_100_000),
            .init(path: "unsplash/狐が雪の中を歩いている冬の森の静かな朝の写真です北海道にて撮影.jpg", bytes: 40_000, length: nil),
        ]
        (frame.done, frame.expected, frame.failed, frame.bytes) = (50, 200, 3, 34_000_000)
        (frame.speed, frame.timeLeft, frame.otherFiles) = (5_200_000, .seconds(65), 4)
        return frame
    }()

    @Test func everythingIsSeenAtEightyColumns() {
        #expect(
            Self.frame.lines(on: .colorless(80)) == [
                "unsplash/abc-red-fox.jpg                    ━━━━━━━━━·········   50%     1.6 MB",
                "狐が雪の中を歩いている冬の森の静かな朝の…   ··················            40 kB",
                "━━········  50 of 200 · 3 failed · 5.2 MB/s · 65 s left · 34 MB · 4 more active",
            ])
    }

    @Test func whatMattersMostIsLeftAtFortyColumns() {
        #expect(
            Self.frame.lines(on: .colorless(40)) == [
                "abc-red-fox.jpg          ━━━━····   50%",
                "狐が雪の中を歩いている…  ········      ",
                "50 of 200 · 3 failed · 5.2 MB/s · 34 MB",
            ])
    }

    @Test(arguments: [20, 36, 37, 40, 56, 70, 71, 80, 101, 200])
    func noLineFillsTheTerminal(columns: Int) {
        for terminal in [Terminal.colored(columns), .colorless(columns)] {
            for line in Self.frame.lines(on: terminal) { #expect(line.seen.displayWidth < columns) }
        }
    }

    @Test func unknownNumberIsNoShare() {
        var frame = ProgressFrame()
        frame.done = 12
        #expect(frame.lines(on: .colorless(80)) == ["12 done · 0 bytes"])
    }

    @Test func speedIsThatOfTheLastSeconds() {
        var meter = SpeedMeter()
        let start = ContinuousClock.now
        #expect(meter.add(0, at: start) == nil)
        #expect(meter.add(1_000, at: start + .seconds(1)) == 1_000)
        for second in 2...30 { _ = meter.add(1_000, at: start + .seconds(second)) }
        #expect(meter.add(1_000, at: start + .seconds(31)) == 0)
    }
}
