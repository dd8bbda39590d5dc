import ProviderRuntime
import Testing

@testable import ProviderTesting

@Suite("Tests are chosen by their marks and the filter")
struct TestSelectionTests {
    @Test func everyTestRunsWhenNothingIsSaid() {
        #expect(choices([("a", .none), ("b", .none)]) == [.run, .run])
    }

    @Test func marksAreObeyed() {
        let others = "others are marked with only"
        #expect(
            choices([("a", .none), ("b", .only), ("c", .skip), ("d", .todo)])
                == [.skip(others), .run, .skip("marked with skip"), .skip("still to be written")])
    }

    @Test func filterLooksAtTheFullNameInWhateverCase() {
        #expect(choices([("Coffee", .none), ("tea", .none)], group: "hot", filter: "HOT › cof") == [.run, .leaveOut])
        #expect(choices([("Coffee", .skip)], filter: "coffee") == [.skip("marked with skip")])
    }

    private func choices(
        _ tests: [(String, TestWorker.Description.Mark)], group: String? = nil, filter: String? = nil
    ) -> [TestSelection.Choice] {
        let tests = tests.map { TestWorker.Description(groups: [group].compactMap(\.self), name: $0.0, mark: $0.1) }
        return TestSelection(tests, filter: filter).choices
    }
}
