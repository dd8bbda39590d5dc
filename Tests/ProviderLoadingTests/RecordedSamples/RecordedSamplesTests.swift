import ProviderModel
import Testing

@Suite("Recorded answers are read whole", .enabled(if: RecordedSamples.folder != nil))
struct RecordedSamplesTests {
    @Test(arguments: RecordedSample.unsplash + RecordedSample.pixabay + RecordedSample.itunes
        + RecordedSample.openverse + RecordedSample.flickr)
    func itemsComeWithEverythingTheSampleSays(of sample: RecordedSample) async throws {
        let page = try await sample.page()
        #expect(page.items.count == sample.count)
        #expect(page.total == sample.total)
        #expect(Set(page.items.map(\.id)).count == sample.count)
        #expect(page.items.last?.id == sample.lastID ?? page.items.first?.id)
        #expect(page.items.first?.summary == sample.first)
    }

    @Test(arguments: [
        (
            RecordedSample("unsplash", .collection, "error_403_rate_limit.txt"), ProviderError.Code.rate,
            "Rate Limit Exceeded"
        ),
        (RecordedSample("unsplash", .details, "error_404_photo_not_found.json"), .notFound, "Couldn't find Photo"),
        (RecordedSample("unsplash", .details, "error_401_bad_token.json"), .auth, "The access token is invalid"),
        (RecordedSample("openverse", .search, "error_429.json"), .rate, "Expected available in 3600 seconds"),
        (RecordedSample("flickr", .details, "error_photo_not_found.xml"), .notFound, "not found (invalid ID) (1)"),
    ])
    func recordedErrorsAreOfTheirKind(
        _ sample: RecordedSample, code: ProviderError.Code, says text: String
    ) async throws {
        let error = await #expect(throws: ProviderError.self) { try await sample.page() }
        #expect(error?.code == code)
        #expect(error?.message.contains(text) == true, "\(error?.message ?? "")")
        #expect(error?.provider == sample.provider)
    }

    @Test func originalIsFetchedFromWhereTheUseIsReported() async throws {
        let transport = ScriptedTransport([try RecordedSamples.answer("unsplash", "photo_download_tracking.json")])
        let source = try await TestProvider.shipped("unsplash", over: transport)
        var item = Item(provider: source.manifest.id, id: "ZUaqq")
        item.extra = JSONText(
            validated: #"{"links":{"download_location":"http://api.lvh.me:3000/photos/ZUaqq/download?ixid=abc"}}"#)
        let original = Media(role: .original, url: try WebURL("https://images.unsplash.com/photo-1"))
        let resolved = try await source.resolved(original, of: item)
        #expect(resolved.url.description.hasPrefix("https://images.unsplash.com/photo-1428681756973-d318f055795a?"))
        #expect(
            transport.requests.map(\.url.description) == ["https://api.unsplash.com/photos/ZUaqq/download?ixid=abc"]
        )
    }
}
