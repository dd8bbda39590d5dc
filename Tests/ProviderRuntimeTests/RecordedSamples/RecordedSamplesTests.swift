import Foundation
import HTTPTypes
import ProviderModel
import Testing

@Suite("Recorded answers are read whole", .enabled(if: RecordedSamples.folder != nil))
struct RecordedSamplesTests {
    @Test(arguments: RecordedSample.all)
    func itemsComeWithEverythingTheSampleSays(of sample: RecordedSample) async throws {
        let page = try await sample.page()
        let differences = try sample.differences(of: page)
        #expect(differences.isEmpty, "\(differences.joined(separator: "\n"))")
    }

    @Test(
        arguments: [
            (RecordedSample("unsplash", .collection(), "error_403_rate_limit.txt"), ProviderError.Code.rate, .text),
            (RecordedSample("unsplash", .details(), "error_404_photo_not_found.json"), .notFound, "$.errors[0]"),
            (RecordedSample("unsplash", .details(), "error_401_bad_token.json"), .auth, "$.errors[0]"),
            (RecordedSample("openverse", .search, "error_429.json"), .rate, "$.detail"),
            (
                RecordedSample("flickr", .details(id: "28952265972"), "error_photo_not_found.xml"), .notFound,
                "{//err/@msg} ({//err/@code})"
            ),
            (
                RecordedSample("rijksmuseum", .search, "collection_search_old_api.json"), .changed,
                "as its former API did"
            ),
            (
                RecordedSample("rijksmuseum", .search, "collection_search_empty_old_api.json"), .changed,
                "as its former API did"
            ),
            (
                RecordedSample("rijksmuseum", .details(id: "1"), "object_detail_old_api.json"), .changed,
                "as its former API did"
            ),
        ] as [(RecordedSample, ProviderError.Code, SampleMapping)])
    func recordedErrorsAreOfTheirKind(
        _ sample: RecordedSample, code: ProviderError.Code, says message: SampleMapping
    ) async throws {
        let error = await #expect(throws: ProviderError.self) { try await sample.page() }
        let text = try #require(try message.value(sample.reading)?.text)
        #expect(error?.code == code)
        #expect(error?.message.contains(text) == true, "\(error?.message ?? "") does not say \(text)")
        #expect(error?.provider == sample.provider)
    }

    @Test func originalIsFetchedFromWhereTheUseIsReported() async throws {
        let sample = RecordedSample("unsplash", .details(), "photo_download_tracking.json")
        let transport = ScriptedTransport([try RecordedSamples.answer("unsplash", sample.file)])
        let source = try await TestProvider.shipped("unsplash", over: transport)
        var item = Item(provider: source.manifest.id, id: "abc123")
        item.extra = JSONText(
            validated: #"{"links":{"download_location":"http://api.example:3000/photos/abc123/download?ixid=abc"}}"#)
        let original = Media(role: .original, url: try WebURL("https://images.unsplash.com/photo-1"))
        let resolved = try await source.resolved(original, of: item)
        #expect(try resolved.url.description == SampleMapping("$.url").value(sample.reading)?.text)
        #expect(
            transport.requests.map(\.url.description) == ["https://api.unsplash.com/photos/abc123/download?ixid=abc"]
        )
    }
}

/// Real answers of the services, which lie outside the repository; `IMGSCRIPT_SAMPLES` names their folder.
enum RecordedSamples {
    static let folder = ProcessInfo.processInfo.environment["IMGSCRIPT_SAMPLES"]

    /// Where providers are named otherwise than the folders of their samples.
    private static let folders = [
        "artic": "art-institute-chicago", "vam": "victoria-albert", "picsum": "lorem-picsum", "nasa": "nasa-images",
        "commons": "wikimedia-commons", "archive": "internet-archive", "konachan": "moebooru",
        "derpibooru": "philomena", "rss": "inaturalist",
    ]

    /// A recorded answer for the requests whose URL contains `part`.
    static func answer(_ provider: String, _ file: String, to part: String = "") throws -> ScriptedTransport.Answer {
        let folder = URL(filePath: try #require(folder)).appending(path: folders[provider] ?? provider)
        var answer = ScriptedTransport.Answer(part: part)
        answer.body = Array(try Data(contentsOf: folder.appending(path: file)))
        let head = folder.appending(path: file.prefix { $0 != "." } + ".http.json")
        guard let data = try? Data(contentsOf: head) else { return answer }  // most samples have no head
        let stored = try JSONDecoder().decode(Head.self, from: data).response
        answer.status = stored.status
        answer.headers = HTTPFields(stored.headers.map { HTTPField(name: HTTPField.Name($0.key)!, value: $0.value) })
        return answer
    }

    private struct Head: Decodable {
        struct Response: Decodable {
            var status: Int
            var headers: [String: String]
        }

        var response: Response
    }
}
