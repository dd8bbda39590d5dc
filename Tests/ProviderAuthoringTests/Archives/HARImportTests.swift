import Foundation
import HTTPTransport
import ProviderAuthoring
import ProviderModel
import ProviderRuntime
import ProviderTestSupport
import ProviderTesting
import Testing

@Suite("A browser's archive becomes a cassette")
struct HARImportTests {
    private func exchange(_ url: String, _ text: String) -> String {
        let content = String(decoding: try! JSONEncoder().encode(text), as: UTF8.self)
        return #"{"request":{"method":"GET","url":"\#(url)"},"response":{"status":200,"content":{"text":\#(content)}}}"#
    }

    private func run(_ archive: String, on made: MadeProvider) async throws -> TestReport.Suite {
        let path = made.file.folder + "/Search Page.har"
        try archive.write(toFile: path, atomically: true, encoding: .utf8)
        return await HARImport(archive: path, name: nil, credentials: .none).suite(of: made.file, MadeProvider.settings)
    }

    @Test func entriesOfTheProvidersHostsAreAddedAndTheOthersNamed() async throws {
        let made = try MadeProvider()
        let exchanges = [
            exchange(
                "https://api.made.example/search?q=tea&page=1&size=3&key=open-sesame",
                #"{"total":0,"hits":[],"who":"open-sesame"}"#),
            exchange("https://tracker.example/a", "x"), exchange("https://tracker.example/b", "x"),
        ]
        let archive = #"{"log":{"entries":[\#(exchanges.joined(separator: ","))]}}"#
        let suite = try await run(archive, on: made)
        #expect(suite.cases.map(\.outcome) == [.passed, .skipped])
        #expect(suite.cases.last?.note == "2 × tracker.example")
        let path = made.cassetteFolder + "/search-page.json"
        let text = try String(contentsOfFile: path, encoding: .utf8)
        #expect(text.contains("q=tea") && !text.contains("sesame"))
        let calls = try Cassette(contentsOf: path).entries.flatMap(\.calls)
        #expect(calls == [RecordedCall(.search, text: "tea", limit: 3)])
        // The same again takes its own place.
        _ = try await run(archive, on: made)
        #expect(try Cassette(contentsOf: path).entries.count == 1)
    }

    @Test func archiveThatIsNoneLeavesNothingBehind() async throws {
        let made = try MadeProvider()
        let suite = try await run(#"{"log":{"entries":{}}}"#, on: made)
        #expect(
            suite.cases.first?.problems.first?.message.hasSuffix(
                "is not a HAR archive: log.entries: expected a list, found an empty object") == true, "\(suite)")
        #expect(!FileManager.default.fileExists(atPath: made.cassetteFolder + "/search-page.json"))
    }

    @Test func archiveWithoutTheProvidersHostsSaysWhichWereExpected() async throws {
        let suite = try await run(#"{"log":{"entries":[]}}"#, on: try MadeProvider())
        #expect(suite.cases.first?.problems.first?.message.contains("expected some from api.made.example") == true)
    }
}
