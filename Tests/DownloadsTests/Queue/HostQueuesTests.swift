import Testing

@testable import Downloads

@Suite struct HostQueuesTests {
    private func queues(_ jobs: Int, perHost: Int? = nil, hosts: [String], each: Int = 50) -> HostQueues<String> {
        var queues = HostQueues<String>(jobs: jobs, perHost: perHost)
        for number in 0..<each { for host in hosts { queues.add("\(host)\(number)", host: host) } }
        return queues
    }

    private func begin(_ queues: inout HostQueues<String>) -> [String] {
        var begun: [String] = []
        while let next = queues.next() { begun.append(next) }
        return begun
    }

    @Test func hostsAreServedRoundRobin() {
        var queues = self.queues(4, hosts: ["a", "b"])
        #expect(begin(&queues) == ["a0", "b0", "a1", "b1"])
    }

    @Test func fullHostDoesNotHoldUpTheOthers() {
        var queues = self.queues(10, perHost: 2, hosts: ["a", "b", "c"])
        #expect(begin(&queues).count == 6)
        queues.end(host: "b", DownloadMeter(), at: .zero)
        #expect(begin(&queues) == ["b2"])
    }

    @Test func sharedConnectionTakesManyAtOnce() {
        var queues = self.queues(4, hosts: ["a"], each: 100)
        #expect(begin(&queues).count == 4)
        let meter = DownloadMeter()
        meter.noteVersion("2")
        queues.end(host: "a", meter, at: .zero)
        #expect(begin(&queues).count == 61)
    }

    @Test func sharedConnectionTakesManyBeforeAnythingHasEnded() {
        var queues = self.queues(4, hosts: ["a"], each: 100)
        #expect(begin(&queues).count == 4)
        queues.share(host: "a")
        queues.share(host: "a")
        #expect(begin(&queues).count == 60)
    }

    @Test func sharedConnectionTakesAllThatMayBeWithTheFewJobsThatAControllerBeginsWith() {
        var queues = HostQueues<String>(jobs: nil, perHost: nil)
        for number in 0..<500 { queues.add("a\(number)", host: "a") }
        #expect(begin(&queues).count == 12)
        queues.share(host: "a")
        #expect(begin(&queues).count == 256 - 12)
    }

    @Test func sharedConnectionsHaveALimitInAll() {
        var queues = self.queues(64, hosts: ["a"], each: 1_000)
        #expect(begin(&queues).count == 64)
        let meter = DownloadMeter()
        meter.noteVersion("2")
        queues.end(host: "a", meter, at: .zero)
        #expect(begin(&queues).count == 256 - 63)
    }

    @Test(arguments: [(1, nil as Int?), (8, 1), (8, 3)])
    func whatTheUserLimitsIsFilesAlsoOnASharedConnection(_ jobs: Int, _ perHost: Int?) {
        var queues = self.queues(jobs, perHost: perHost, hosts: ["a"])
        let limit = perHost ?? jobs
        #expect(begin(&queues).count == limit)
        let meter = DownloadMeter()
        meter.noteVersion("2")
        queues.end(host: "a", meter, at: .zero)
        #expect(begin(&queues).count == 1)
    }

    @Test func orderIsKeptWithinAHost() {
        var queues = self.queues(1, hosts: ["a"], each: 200)
        var order: [String] = []
        while let next = queues.next() {
            order.append(next)
            queues.end(host: "a", DownloadMeter(), at: .zero)
        }
        #expect(order == (0..<200).map { "a\($0)" })
    }
}
