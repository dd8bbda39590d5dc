import ProviderModel
import Synchronization
import Testing

@testable import Search

@Suite("Images come one by one")
struct ImageSequenceTests {
    private static let fault = ProviderError(.transport, provider: "a", message: "no network")
    private let reported = Mutex(0)

    private func images(_ sources: [FakeSource]) -> ImageSequence {
        ImageSequence(MergedSearch(sources), providerCount: sources.count) { _ in reported.withLock { $0 += 1 } }
    }

    @Test func failureOfOneIsReportedAndTheOthersGoOn() async throws {
        let sources = [FakeSource("a", [.failure(Self.fault)]), FakeSource("b", pages: [["1", "2"]])]
        var ids: [String] = []
        for try await item in images(sources) { ids.append(item.id) }
        #expect(ids == ["1", "2"])
        #expect(reported.withLock { $0 } == 1)
    }

    @Test func failureOfAllIsThrown() async {
        let error = await #expect(throws: ProviderError.self) {
            for try await _ in images([FakeSource("a", [.failure(Self.fault)])]) {}
        }
        #expect(error == Self.fault)
    }
}
