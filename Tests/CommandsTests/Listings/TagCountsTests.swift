import Testing

@testable import Commands

struct TagCountsTests {
    private static let counts: TagCounts = {
        var counts = TagCounts()
        for tags in [["Coffee", "cup", "coffee"], ["coffee", " cup "], ["coffee"], ["咖啡", "", "\u{1b}[31mred"]] {
            var item = InventedItems.bare
            item.tags = tags
            counts.add(item)
        }
        return counts
    }()

    @Test func tagsAreCountedOncePerItem() {
        #expect(Self.counts.ranked.map(\.tag) == ["Coffee", "cup", "咖啡", "\u{1b}[31mred"])
        #expect(Self.counts.ranked.map(\.count) == [3, 2, 1, 1])
    }

    @Test func barsAreForTerminals() {
        #expect(Self.counts.lines(on: .pipe) == ["3  Coffee", "2  cup", "1  咖啡", "1  red"])
        let lines = Self.counts.lines(on: .colored(36), limit: 2).map(\.seen)
        #expect(lines == ["3  ████████████  Coffee", "2  ████████      cup"])
        #expect(TagCounts().lines(on: .colored(36)).isEmpty)
    }

    @Test func csvIsForSpreadsheets() {
        var counts = TagCounts()
        var item = InventedItems.bare
        item.tags = ["cup, large", "=cup()"]
        counts.add(item)
        #expect(counts.csv == "tag,count\r\n\"cup, large\",1\r\n'=cup(),1\r\n")
    }

    @Test func jsonKeepsWhatTheSourceSaid() {
        let text = String(decoding: Self.counts.json(on: .pipe), as: UTF8.self)
        #expect(text.hasPrefix(#"[{"tag":"Coffee","count":3},{"tag":"cup","count":2}"#))
        #expect(text.contains(#"\u001b[31mred"#) && text.hasSuffix("}]\n"))
        let lines = String(decoding: Self.counts.jsonLines(on: .pipe), as: UTF8.self).split(separator: "\n")
        #expect(lines.count == 4 && lines[1] == #"{"tag":"cup","count":2}"#)
    }
}
