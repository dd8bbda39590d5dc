import Foundation
import ProviderModel

@testable import Downloads
@testable import Search

/// What narrows a listing, what continues it, and what is downloaded of it.
extension FuzzTarget {
    static func readFilter(_ bytes: [UInt8]) throws(BrokenPromise) {
        let text = bytes.text
        if let date = FilterDate(text, now: 1_700_000_000) {
            try require(date.first <= date.last, "a span of time begins before it ends")
        }
        guard let filter = try? FilterExpression(text) else { return }
        // Too deep for one level more, perhaps.
        let opposite = try? FilterExpression("not (\(text))")
        let same = try? FilterExpression("(\(text)) and id")
        for item in items {
            let isTrue = filter.isTrue(of: item)
            try require(opposite?.isTrue(of: item) != isTrue, "not is true of all else")
            try require(same?.isTrue(of: item) ?? isTrue == isTrue, "parentheses change nothing")
        }
    }

    private static let items: [Item] = {
        guard let provider = ProviderID("fuzzed") else { return [] }
        var full = Item(provider: provider, id: "1", type: .image)
        full.title = "Red fox"
        full.tags = ["fox", "red"]
        full.created = "2024-02-29T12:00:00Z"
        if let url = try? WebURL("https://example.com/1.jpg") {
            var media = Media(role: .original, url: url)
            (media.width, media.height) = (4_000, 3_000)
            full.media = [media]
        }
        return [full, Item(provider: provider, id: "2", type: .image)]
    }()

    /// The JSON in a cursor.
    static func readCursor(_ bytes: [UInt8]) throws(BrokenPromise) {
        let text = Data(bytes).base64EncodedString()
        if let cursor = ListingCursor(text) {
            try require(ListingCursor(cursor.description) == cursor, "a cursor that is written reads the same")
            for progress in cursor.providers.values { try check(progress) }
        }
        guard let cursor = PageCursor(text) else { return }
        try require(PageCursor(cursor.description) == cursor, "a cursor that is written reads the same")
        try check(cursor.progress)
    }

    private static func check(_ progress: ResumeProgress) throws(BrokenPromise) {
        guard let provider = ProviderID("fuzzed") else { return }
        var manifest = ProviderManifest(id: provider, name: "Fuzzed", version: "1.0.0")
        for paging in Paging.allCases {
            manifest.paging = paging
            let query = progress.resume(ProviderQuery(), of: manifest).query
            try require(query.page >= 0 && query.offset >= 0 && query.limit >= 1, "a cursor leads to a page")
            var further = progress
            further.handOut("1")
            further.skip("2")
            let next = ResumeProgress.Position(
                page: query.page + 1, offset: query.offset + query.limit, pageSize: query.limit)
            further.complete(ResumeProgress.CompletedPage(next: next, isLast: false))
            try require(further.counted == progress.counted + 2, "an image that is given counts")
        }
    }

    /// A line of a list of images.
    static func readInput(_ bytes: [UInt8]) throws(BrokenPromise) {
        guard let input = DownloadInput(line: bytes.text), case .item(let item) = input.subject else { return }
        var json = JSONWriter()
        item.write(to: &json)
        try require(DownloadInput(line: json.text) == input, "an item that is written reads the same")
    }
}
