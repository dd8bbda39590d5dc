import ProviderModel
import Testing

@testable import Commands

struct URLPrinterTests {
    @Test func bestFileOfEachItemIsPrinted() throws {
        var item = InventedItems.bare
        item.media = [
            InventedItems.media(.small, "https://a.example/s.jpg"),
            InventedItems.media(.large, "https://a.example/l.jpg"),
        ]
        let sink = MemorySink()
        let printer = URLPrinter(to: sink)
        try printer.print(item)
        try printer.print(InventedItems.bare)
        try printer.print(InventedItems.latin)
        try printer.finish()
        #expect(sink.text == "https://a.example/l.jpg\nhttps://cdn.example.com/171653.jpg\n")
    }

    @Test func fileWithoutAMarkIsBetter() {
        var item = InventedItems.bare
        item.media = [
            InventedItems.media(.large, "https://a.example/marked.jpg"),
            InventedItems.media(.large, "https://a.example/clean.jpg"),
        ]
        item.media[0].isWatermarked = true
        #expect(item.bestMedia?.url.path == "/clean.jpg")
    }

    @Test(
        arguments: [
            ("cc-by-sa-4.0", nil, "CC BY-SA 4.0"), ("cc0-1.0", nil, "CC0 1.0"),
            ("CC-BY-2.0", "Attribution", "CC BY 2.0"),
            ("pdm-1.0", nil, "Public domain"), ("unsplash", "Unsplash License", "Unsplash"), ("x", nil, "x"),
            ("cc-by", nil, "CC BY"), ("cc0", nil, "CC0"),
        ] as [(String, String?, String)]
    )
    func licencesHaveShortNames(id: String, name: String?, expected: String) {
        #expect(License(id: id, name: name).shortName == expected)
    }
}
