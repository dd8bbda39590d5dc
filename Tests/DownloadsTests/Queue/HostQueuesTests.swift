import Testing

@testable import Downloads

@Suite struct HostLanesTests {
    private func lanes(_ jobs: Int, perHost: Int? = nil, hosts: [String], each: Int = 50) -> HostQueues<String> {
        var lanes = HostQueues<String>(jobs: .fixed(jobs), perHost: perHost)
        for number in 0..<each { for host in hosts { lanes.add("\(host)\(number)", host: host) } }
        return lanes
    }

    private func begin(_ lanes: inout HostQueues<String>) -> [String] {
        var begun: [String] = []
        while let order = lanes.next() { begun.append(order) }
        return begun
    }

    @Test func hostsTakeTurns() {
        var lanes = lanes(4, hosts: ["a", "b"])
        #expect(begin(&lanes) == ["a0", "b0", "a1", "b1"])
    }

    @Test func fullHostDoesNotHoldUpTheOthers() {
        var lanes = lanes(10, perHost: 2, hosts: ["a", "b", "c"])
        #expect(begin(&lanes).count == 6)
        lanes.ended(host: "b", DownloadCounter(), at: .zero)
        #expect(begin(&lanes) == ["b2"])
    }

    @Test func sharedConnectionTakesManyAtOnce() {
        var lanes = lanes(4, hosts: ["a"], each: 100)
        #expect(begin(&lanes).count == 4)
        let counter = DownloadCounter()
        counter.noteVersion("2")
        lanes.ended(host: "a", counter, at: .zero)
        #expect(begin(&lanes).count == 61)
    }

    @Test func sharedConnectionTakesManyBeforeAnythingHasEnded() {
        var lanes = lanes(4, hosts: ["a"], each: 100)
        #expect(begin(&lanes).count == 4)
        let isNews = [lanes.share(host: "a"), lanes.share(host: "a")]
        #expect(isNews == [true, false])
        #expect(begin(&lanes).count == 60)
    }

    @Test func sharedConnectionTakesAllThatMayBeWithTheFewJobsThatAControllerBeginsWith() {
        var lanes = HostQueues<String>(jobs: .automatic, perHost: nil)
        for number in 0..<500 { lanes.add("a\(number)", host: "a") }
        #expect(begin(&lanes).count == 12)
        lanes.share(host: "a")
        #expect(begin(&lanes).count == 256 - 12)
    }

    @Test func sharedConnectionsHaveALimitInAll() {
        var lanes = lanes(64, hosts: ["a"], each: 1_000)
        #expect(begin(&lanes).count == 64)
        let counter = DownloadCounter()
        counter.noteVersion("2")
        lanes.ended(host: "a", counter, at: .zero)
        #expect(begin(&lanes).count == 256 - 63)
    }

    @Test(arguments: [(1, nil as Int?), (8, 1), (8, 3)])
    func whatTheUserLimitsIsFilesAlsoOnASharedConnection(_ jobs: Int, _ perHost: Int?) {
        var lanes = lanes(jobs, perHost: perHost, hosts: ["a"])
        let limit = perHost ?? jobs
        #expect(begin(&lanes).count == limit)
        let counter = DownloadCounter()
        counter.noteVersion("2")
        lanes.ended(host: "a", counter, at: .zero)
        #expect(begin(&lanes).count == 1)
    }

    @Test func orderIsKeptWithinAHost() {
        var lanes = lanes(1, hosts: ["a"], each: 200)
        var order: [String] = []
        while let next = lanes.next() {
            order.append(next)
            lanes.ended(host: "a", DownloadCounter(), at: .zero)
        }
        #expect(order == (0..<200).map { "a\($0)" })
    }
}
