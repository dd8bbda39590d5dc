import Testing

@testable import ImgScript

@Suite("A rehearsal in the host") struct RehearsalTests {
    @Test func goesThroughAWholeSearch() async {
        let items = await TransportStack.rehearse()
        #expect(items.map(\.id) == ["1"])
        #expect(items.first?.media.count == 1)
    }
}
