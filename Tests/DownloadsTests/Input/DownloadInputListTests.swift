import Foundation
import ProviderModel
import TestSupport
import Testing

@testable import Downloads

/// Lists in the formats that searches print.
struct DownloadInputListTests {
    private func inputs(_ text: String) async throws -> [DownloadInput] {
        let folder = TemporaryFolder()
        FolderListing.write(text, to: "\(folder.path)/list")
        var inputs: [DownloadInput] = []
        for try await batch in DownloadInputList(path: "\(folder.path)/list") { inputs += batch }
        return inputs
    }

    private func item(_ input: DownloadInput?) -> Item? {
        if case .item(let item)? = input?.subject { item } else { nil }
    }

    @Test func recordOfCSVIsAnImageWithItsFacts() async throws {
        let found = try await inputs(
            """
            provider,id,title,page,author,license,created,width,height,url,tags,aiGenerated\r
            met,1,"A ""red"", fox\ncub",https://met.example/1,'=Ann,cc0-1.0,2026,40,30,https://met.example/1.jpg,a; b,true\r
            met,2,,,,,,,,,,\r

            """)
        #expect(found.count == 2)
        let first = try #require(item(found.first))
        #expect(first.title == "A \"red\", fox\ncub" && first.author?.name == "=Ann" && first.tags == ["a", "b"])
        #expect(first.isAIGenerated == true && item(found.last)?.isAIGenerated == nil)
        #expect(first.license?.id == "cc0-1.0" && first.created == "2026" && first.page != nil)
        #expect(first.media.map(\.width) == [40] && first.media.map(\.url.description) == ["https://met.example/1.jpg"])
        #expect(item(found.last)?.id == "2" && item(found.last)?.media.isEmpty == true)
    }

    @Test func columnsMayBeFewerAndARecordMayBeWrong() async throws {
        let files = try await inputs("url,title\nhttps://a.example/1.jpg,One\n")
        #expect(files.map(\.subject) == [.reference("https://a.example/1.jpg")])
        let wrong = try await inputs("provider,id\nmet,1,2\nmet,3\nmet,\"4\n")
        #expect(wrong.count == 3 && item(wrong[1])?.id == "3")
        #expect(wrong[0].subject == .unreadable("found 3 values (expected 2, as in the first line)"))
        #expect(wrong[2].subject == .unreadable("a value has no closing quotation mark"))
    }

    @Test func arrayOfJSONIsAList() async throws {
        let found = try await inputs(
            "[\n  {\"provider\":\"met\",\"id\":\"1\"},\n  {\"url\":\"https://a.example/1.jpg\"}\n]\n")
        #expect(found.count == 2 && item(found.first)?.id == "1")
        #expect(found.last?.subject == .reference("https://a.example/1.jpg"))
    }

    @Test func lineWithCommasIsNoHeader() async throws {
        #expect(try await inputs("met:1,2\n").map(\.subject) == [.reference("met:1,2")])
    }
}
