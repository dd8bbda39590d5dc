import Testing

@testable import HTTPTransport

@Suite struct TransferQueueTests {
    private func admitted(_ count: Int, to queue: inout TransferQueue<Int>, mayShare: Bool) -> [Int] {
        (0..<count).filter { queue.admit($0, at: "https://a.example", mayShare: mayShare) }
    }

    @Test func oneGoesAheadWhereTheConnectionMayBeShared() {
        var queue = TransferQueue<Int>(connectionLimit: 4)
        #expect(admitted(200, to: &queue, mayShare: true) == [0])
        #expect(queue.connected(to: "https://a.example", isShared: false) == [1, 2, 3])
        #expect(queue.connected(to: "https://a.example", isShared: true).count == 124)
        #expect(queue.finished(at: "https://a.example") == [128])
    }

    @Test func connectionLimitHoldsWhereItCannot() {
        var queue = TransferQueue<Int>(connectionLimit: 4)
        #expect(admitted(6, to: &queue, mayShare: false) == [0, 1, 2, 3])
        #expect(queue.connected(to: "https://a.example", isShared: false).isEmpty)
        #expect(queue.finished(at: "https://a.example") == [4])
    }

    @Test func failureOfTheFirstLetsTheNextGoAhead() {
        var queue = TransferQueue<Int>(connectionLimit: 4)
        #expect(admitted(3, to: &queue, mayShare: true) == [0])
        #expect(queue.finished(at: "https://a.example") == [1])
    }

    @Test func serversDoNotWaitForOneAnother() {
        var queue = TransferQueue<Int>(connectionLimit: 1)
        for origin in ["http://a.example", "http://b.example"] {
            let mayBegin = queue.admit(0, at: origin, mayShare: false)
            #expect(mayBegin)
        }
    }

    @Test func emptyServerIsForgotten() {
        var queue = TransferQueue<Int>(connectionLimit: 4)
        #expect(admitted(1, to: &queue, mayShare: true) == [0])
        #expect(queue.finished(at: "https://a.example").isEmpty)
        #expect(admitted(2, to: &queue, mayShare: true) == [0])
    }

    @Test func removedOneNeverBegins() {
        var queue = TransferQueue<Int>(connectionLimit: 1)
        #expect(admitted(3, to: &queue, mayShare: false) == [0])
        #expect(queue.remove(where: { $0 == 1 }) == [1])
        #expect(queue.finished(at: "https://a.example") == [2])
    }
}
