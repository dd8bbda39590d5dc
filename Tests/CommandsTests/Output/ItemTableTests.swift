import ProviderModel
import Testing

@testable import Commands

struct ItemTableTests {
    @Test(arguments: [(60, narrow), (80, usual), (120, broad)])
    func columnsLineUpOnATerminal(width: Int, expected: String) throws {
        let text = try table(on: .colored(width))
        #expect(text.seen.lines == expected.split(separator: "\n").map(String.init))
    }

    @Test func pipeGetsAlignedLinesWithoutEscapes() throws {
        let text = try table(on: .pipe, providers: [InventedItems.pixabay])
        #expect(text.lines == Self.piped.split(separator: "\n").map(String.init))
        #expect(!text.contains("\u{1b}") && !text.contains("\u{2068}"))
    }

    @Test(arguments: 20...220)
    func noLineIsLongerThanTheTerminal(width: Int) throws {
        for providers in [[InventedItems.pixabay], InventedItems.providers] {
            let lines = try table(on: .colored(width), providers: providers).seen.lines
            #expect(lines.allSatisfy { $0.displayWidth <= width && $0.last != " " })
        }
    }

    @Test func eachItemIsWholeAtOnce() throws {
        let sink = MemorySink()
        var printer = ItemTable(to: sink.output, on: .colored(60), providers: [InventedItems.pixabay], limit: 20)
        for (count, item) in InventedItems.all.enumerated() {
            try printer.print(item)
            #expect(sink.text.last == "\n")
            #expect(sink.text.seen.lines.count { $0.hasPrefix(" \(count + 1)  ") } == 1)
        }
    }

    @Test func titlesAndPagesAreLinksOnATerminal() throws {
        let text = try table(of: [InventedItems.arabic], on: .colored(80))
        let link = "\u{1b}]8;;https://pixabay.com/photos/arabic-coffee-2/\u{1b}\\"
        #expect(text.occurrences(of: link) == 2)
        #expect(text.contains("\u{1b}[1m\u{2068}فنجان قهوة عربية\u{2069}\u{1b}[0m"))
        #expect(text.contains("\u{1b}[36mpixabay\u{1b}[0m"))
    }

    @Test(arguments: [60, 80, 120, 200])
    func addressesStayWholeWithoutLinks(width: Int) throws {
        let text = try table(on: .colorless(width))
        #expect(!text.contains("\u{1b}"))
        for page in InventedItems.all.compactMap(\.page) { #expect(text.contains(page.description)) }
    }

    @Test func titleFallsBackToDescriptionThenTags() throws {
        var item = InventedItems.bare
        item.title = "\u{1b}[0m \u{200b}"
        item.tags = ["tin", "advertising"]
        #expect(try table(of: [item], on: .colored(60)).seen.lines[0] == " 1  tin, advertising")
        item.description = "\nA coffee tin.\nFrom 1914."
        #expect(try table(of: [item], on: .colored(60)).seen.lines[0] == " 1  A coffee tin.")
    }

    @Test func collectionsSaySoInPlaceOfASize() throws {
        var item = InventedItems.latin
        item.type = .collection
        #expect(try table(of: [item], on: .colored(80)).seen.lines[1].contains("collection  Pixabay Content"))
    }

    @Test func numbersGetTheRoomTheLimitNeeds() {
        let widths = [5, 1_000].map { limit in
            ItemTable(to: MemorySink().output, on: .colored(80), providers: [InventedItems.pixabay], limit: limit)
                .columns[0].place.width
        }
        #expect(widths == [2, 4])
    }

    private func table(
        of items: [Item] = InventedItems.all,
        on terminal: Terminal,
        providers: [ProviderID] = InventedItems.providers
    ) throws -> String {
        let sink = MemorySink()
        var printer = ItemTable(to: sink.output, on: terminal, providers: providers, limit: 20)
        for item in items { try printer.print(item) }
        try printer.finish()
        return sink.text
    }

    private static let narrow = """
         1  Cup of coffee on a wooden table
            pixabay · Jane Miller · 4000×3000 · Pixabay Content
         2  Morning ☕️ in Lisbon 🇵🇹, with pastéis de nata and a ver…
            flickr · João Gonçalves de A… · 6000×4000 · CC BY-SA 4.0
         3  咖啡館的早晨：一杯拿鐵和一本關於旅行的舊書，窗外是台北…
            wikimedia-commons · 王小明 · 10000×6667 · CC0 1.0
         4  فنجان قهوة عربية
            pixabay · أحمد علي · 1920×1080
         5  Café crème 👩‍👩‍👧‍👦 é
            flickr · 한국 사진가 · CC BY-NC-ND 2.0
         6  untitled
            wikimedia-commons:4
         7  Evil title redgnp.exe next
            pixabay:5 · mallory ! · 12000×10000
        """

    private static let usual = """
         #  Title                                                  Size  Licence
         1  Cup of coffee on a wooden table                   4000×3000  Pixabay Content
            pixabay · Jane Miller · https://pixabay.com/photos/coffee-cup-171653/
         2  Morning ☕️ in Lisbon 🇵🇹, with pastéis de nata…    6000×4000  CC BY-SA 4.0
            flickr · João Gonçalves de A… · flickr.com/photos/12345678@N00/52345678901/
         3  咖啡館的早晨：一杯拿鐵和一本關於旅行的舊書，…    10000×6667  CC0 1.0
            wikimedia-commons · 王小明 · commons.wikimedia.org/wiki/File:Cafe.jpg
         4  فنجان قهوة عربية                                  1920×1080
            pixabay · أحمد علي · https://pixabay.com/photos/arabic-coffee-2/
         5  Café crème 👩‍👩‍👧‍👦 é                                              CC BY-NC-ND 2.0
            flickr · 한국 사진가 · https://www.flickr.com/photos/x/3/
         6  untitled
            wikimedia-commons:4
         7  Evil title redgnp.exe next                      12000×10000
            pixabay:5 · mallory !
        """

    private static let broad = """
         #  Provider           Title                                          Author                       Size  Licence
         1  pixabay            Cup of coffee on a wooden table                Jane Miller             4000×3000  Pixabay Content
            https://pixabay.com/photos/coffee-cup-171653/
         2  flickr             Morning ☕️ in Lisbon 🇵🇹, with pastéis de nat…  João Gonçalves de A…    6000×4000  CC BY-SA 4.0
            https://www.flickr.com/photos/12345678@N00/52345678901/
         3  wikimedia-commons  咖啡館的早晨：一杯拿鐵和一本關於旅行的舊書，…  王小明                 10000×6667  CC0 1.0
            https://commons.wikimedia.org/wiki/File:Cafe.jpg
         4  pixabay            فنجان قهوة عربية                               أحمد علي                1920×1080
            https://pixabay.com/photos/arabic-coffee-2/
         5  flickr             Café crème 👩‍👩‍👧‍👦 é                                한국 사진가                        CC BY-NC-ND 2.0
            https://www.flickr.com/photos/x/3/
         6  wikimedia-commons  untitled
            wikimedia-commons:4
         7  pixabay            Evil title redgnp.exe next                     mallory !             12000×10000
            pixabay:5
        """

    private static let piped = """
         1  Cup of coffee on a wooden table                               Jane Miller                 4000×3000  Pixabay Content  https://pixabay.com/photos/coffee-cup-171653/
         2  Morning ☕️ in Lisbon 🇵🇹, with pastéis de nata and a very lo…  João Gonçalves de Albuq…    6000×4000  CC BY-SA 4.0     https://www.flickr.com/photos/12345678@N00/52345678901/
         3  咖啡館的早晨：一杯拿鐵和一本關於旅行的舊書，窗外是台北的雨    王小明                     10000×6667  CC0 1.0          https://commons.wikimedia.org/wiki/File:Cafe.jpg
         4  فنجان قهوة عربية                                              أحمد علي                    1920×1080                   https://pixabay.com/photos/arabic-coffee-2/
         5  Café crème 👩‍👩‍👧‍👦 é                                               한국 사진가                            CC BY-NC-ND 2.0  https://www.flickr.com/photos/x/3/
         6  untitled                                                                                                              wikimedia-commons:4
         7  Evil title redgnp.exe next                                    mallory !                 12000×10000                   pixabay:5
        """
}

extension String {
    /// How often a text occurs in this one.
    fileprivate func occurrences(of text: String) -> Int {
        split(separator: text, omittingEmptySubsequences: false).count - 1
    }
}
