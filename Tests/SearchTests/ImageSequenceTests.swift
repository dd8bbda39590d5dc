import ProviderModel
import Synchronization
import Testing

@testable import Search

@Suite("Images come one by one")
struct ImageSequenceTests {
    private static let fault = ProviderError(.transport, provider: "a", message: "no network")

    @Test func failureOfOneIsReportedAndTheOthersGoOn() async throws {
        let sources = [FakeSource("a", [.failure(Self.fault)]), FakeSource("b", pages: [["1", "2"]])]
        let reported = Mutex(0)
        let images = ImageSequence(MergedSearch(sources), providerCount: 2) { _ in reported.withLock { $0 += 1 } }
        var ids: [String] = []
        for try await item in images { ids.append(item.id) }
        #expect(ids == ["1", "2"])
        #expect(reported.withLock { $0 } == 1)
    }

    /// A failure that nobody asked for was lost.
    @Test func failureThatNobodyIsToldOfIsThrownAtTheEnd() async {
        let sources = [FakeSource("a", [.failure(Self.fault)]), FakeSource("b", pages: [["1", "2"]])]
        let images = ImageSequence(MergedSearch(sources), providerCount: 2, onFailure: nil)
        var ids: [String] = []
        let error = await #expect(throws: ProviderError.self) { for try await item in images { ids.append(item.id) } }
        #expect(ids == ["1", "2"] && error == Self.fault)
        let tolerant = ImageSequence(
            MergedSearch(sources), providerCount: 2, isFault: { _ in false }, onFailure: nil)
        await #expect(throws: Never.self) { for try await _ in tolerant {} }
    }

    @Test func failureOfAllIsThrown() async {
        let search = MergedSearch([FakeSource("a", [.failure(Self.fault)])])
        let images = ImageSequence(search, providerCount: 1) { _ in }
        let error = await #expect(throws: ProviderError.self) { for try await _ in images {} }
        #expect(error == Self.fault)
    }
}
