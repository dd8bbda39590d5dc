import TestSupport
import Testing

@testable import Downloads

/// A server that answers so many at a time, each after a while, and pushes back beyond a limit.
private struct SimulatedServer {
    var latency: Double
    var bandwidth: Double
    var refusesAbove = Int.max

    /// The limit after so many files of a size, and the highest there was.
    func settle(files: Int = 3_000, bytes: Int = 40_000) -> (last: Int, highest: Int, seconds: Double, refusals: Int) {
        var controller = JobController()
        var now = 0.0
        var highest = 0
        var refusals = 0
        for _ in 0..<files {
            let active = controller.limit
            highest = max(highest, active)
            // So many side by side take turns on the line, but wait for their answers together.
            let perFile = max(latency / Double(active), Double(bytes) / bandwidth)
            now += perFile
            let isRefusal = active > refusesAbove
            refusals += isRefusal ? 1 : 0
            controller.ended(bytes: isRefusal ? 0 : bytes, isRefusal: isRefusal, active: active, at: .seconds(now))
        }
        return (controller.limit, highest, now, refusals)
    }
}

@Suite struct JobControllerTests {
    @Test func farServerGetsMany() {
        #expect(SimulatedServer(latency: 0.2, bandwidth: 1e9).settle().last == 64)
    }

    @Test func climbIsQuick() {
        // 64 at a time from the start would take 0.625 s.
        #expect(SimulatedServer(latency: 0.02, bandwidth: 1e9).settle(files: 2_000).seconds < 0.8)
    }

    @Test func slowLineGetsFew() {
        let settled = SimulatedServer(latency: 0.01, bandwidth: 1e6).settle()
        #expect(settled.last <= 12 && settled.highest <= 24)
    }

    @Test func serverThatPushesBackGetsFewer() {
        let settled = SimulatedServer(latency: 0.1, bandwidth: 1e9, refusesAbove: 20).settle()
        #expect(settled.last <= 32)
        #expect(settled.refusals < 300)
    }

    @Test func limitNeverLeavesItsBounds() {
        var controller = JobController()
        var generator = SeededGenerator(seed: 1)
        for step in 0..<20_000 {
            controller.ended(
                bytes: .random(in: 0...100_000, using: &generator),
                isRefusal: Int.random(in: 0..<10, using: &generator) == 0, active: controller.limit,
                at: .milliseconds(step * .random(in: 1...3, using: &generator)))
            #expect((1...64).contains(controller.limit))
        }
    }
}

@Suite struct TokenBucketTests {
    @Test func overALongTimeTheRateIsHeld() {
        var bucket = TokenBucket(rate: 1_000_000)
        var taken = 0
        for millisecond in 0..<10_000 where bucket.take(16_384, at: .milliseconds(millisecond)) { taken += 16_384 }
        #expect((9_900_000...10_200_000).contains(taken))
    }
}
