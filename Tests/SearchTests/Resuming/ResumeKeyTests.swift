import ProviderModel
import Testing

@testable import Search

@Suite("A crawl is known again by what is asked")
struct CrawlKeyTests {
    private func key(
        _ listing: Listing = .search, text: String = "red fox", providers: [String] = ["pixabay", "openverse"],
        instance: String? = nil, _ prepare: (inout SearchOptions) -> Void = { _ in }
    ) -> ResumeKey {
        var options = SearchOptions()
        prepare(&options)
        return ResumeKey(listing, text: text, providers: providers, options: options, instance: instance)
    }

    @Test func nameIsTheSameInEveryRun() {
        #expect(key().name == "8c1b075bf5e549d90fd3c46f82f8b1a0")
        let full = key(instance: "https://example.com") {
            $0.parameters = ["order": "new", "size": "7"]
            $0.near = ProviderQuery.Point(latitude: 52.52, longitude: 13.4)
        }
        #expect(full.name == "2d0f563530690304c1d105d301bba92c")
    }

    @Test func howMuchIsWantedAndLetThroughMakesNoDifference() {
        let same = key(text: " red fox ", providers: ["openverse", "pixabay", "openverse"]) {
            $0.limit = 5_000
            $0.pageSize = 7
            $0.pagesInFlight = 1
            $0.filter.tags = ["red"]
        }
        #expect(same == key())
        #expect(same.name == key().name)
    }

    @Test func whatIsAskedMakesADifference() {
        let album = Item(provider: ProviderID("a")!, id: "1", type: .collection)
        let keys = [
            key(), key(.feed), key(.collection(album)), key(text: "red  fox"), key(providers: ["pixabay"]),
            key(providers: ["pixabayopenverse"]), key(instance: "https://example.com"),
            key { $0.parameters = ["order": "new"] }, key { $0.parameters = ["ordern": "ew"] },
            key { $0.parameters = ["order": "new", "size": "7"] }, key { $0.answersAreRecorded = true },
            key { $0.near = ProviderQuery.Point(latitude: 1, longitude: 2) },
        ]
        #expect(Set(keys).count == keys.count)
        #expect(Set(keys.map(\.name)).count == keys.count)
    }
}
