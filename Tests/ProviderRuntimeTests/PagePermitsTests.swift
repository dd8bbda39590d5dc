import Synchronization
import Testing

@testable import ProviderRuntime

@Suite("Pages send their requests in order, so many at a time", .timeLimit(.minutes(1)))
struct PagePermitsTests {
    /// A page that is sent when it has a permit, and answered when the test says so.
    private func send(_ page: Int, with permits: PagePermits, _ sent: PageLog) -> Task<Void, any Error> {
        Task {
            try await permits.wait(for: page)
            sent.add(page)
        }
    }

    private final class PageLog: Sendable {
        private let pages = Mutex<[Int]>([])
        var all: [Int] { pages.withLock(\.self) }

        func add(_ page: Int) { pages.withLock { $0.append(page) } }
    }

    @Test func pageWaitsForThoseBeforeIt() async throws {
        let (permits, sent) = (PagePermits(4), PageLog())
        for page in 1...3 { permits.enter(page) }
        let third = send(3, with: permits, sent)
        let second = send(2, with: permits, sent)
        for _ in 1...100 { await Task.yield() }
        #expect(sent.all.isEmpty)
        try await send(1, with: permits, sent).value
        try await second.value
        try await third.value
        #expect(Set(sent.all) == [1, 2, 3] && sent.all.count == 3)
    }

    @Test func pageThatNeedsNoRequestHoldsNoneUp() async throws {
        let (permits, sent) = (PagePermits(1), PageLog())
        permits.enter(1)
        permits.enter(2)
        let second = send(2, with: permits, sent)
        permits.leave(1)
        try await second.value
        #expect(sent.all == [2])
    }

    @Test func noMoreAreUnderWayThanAllowed() async throws {
        let (permits, sent) = (PagePermits(1), PageLog())
        for page in 1...2 { permits.enter(page) }
        try await send(1, with: permits, sent).value
        let second = send(2, with: permits, sent)
        for _ in 1...100 { await Task.yield() }
        #expect(sent.all == [1])
        permits.signal()
        try await second.value
        #expect(sent.all == [1, 2])
    }

    @Test func cancelledPageGivesUpItsPlace() async throws {
        let (permits, sent) = (PagePermits(1), PageLog())
        for page in 1...2 { permits.enter(page) }
        let second = send(2, with: permits, sent)
        second.cancel()
        await #expect(throws: CancellationError.self) { try await second.value }
        permits.leave(2)
        try await send(1, with: permits, sent).value
        #expect(sent.all == [1])
    }
}
