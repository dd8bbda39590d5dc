import ProviderModel
import Testing

@testable import Search

@Suite("A listing is recognised by what is asked")
struct ResumeKeyTests {
    private func key(
        _ listing: Listing = .search("red fox"), providers: [String] = ["pixabay", "openverse"],
        servers: [String: String] = [:], _ prepare: (inout SearchOptions) -> Void = { _ in }
    ) -> ResumeKey {
        var options = SearchOptions()
        prepare(&options)
        return ResumeKey(listing, providers: providers, options: options, servers: servers)
    }

    @Test func howMuchIsWantedAndLetThroughMakesNoDifference() {
        let same = key(.search(" red fox "), providers: ["openverse", "pixabay", "openverse"]) {
            $0.limit = 5_000
            $0.pageSize = 7
            $0.pagesInFlight = 1
            $0.filter.tags = ["red"]
        }
        #expect(same == key())
    }

    @Test func whatIsAskedMakesADifference() {
        let album = Item(provider: ProviderID("a")!, id: "1", type: .collection)
        let keys = [
            key(), key(.feed), key(.collection(album)), key(.search("red  fox")), key(providers: ["pixabay"]),
            key(providers: ["pixabayopenverse"]), key(servers: ["pixabay": "https://example.com"]),
            key(servers: ["openverse": "https://example.com"]), key(servers: ["pixabay": "https://other.example"]),
            key { $0.parameters = ["order": "new"] }, key { $0.parameters = ["ordern": "ew"] },
            key { $0.parameters = ["order": "new", "size": "7"] }, key { $0.answersAreRecorded = true },
            key { $0.parametersByProvider = ["pixabay": ["order": "new"]] },
            key { $0.near = ProviderQuery.Point(latitude: 1, longitude: 2) },
        ]
        #expect(Set(keys).count == keys.count)
    }
}
