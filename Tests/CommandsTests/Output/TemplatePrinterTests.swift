import ProviderModel
import Testing

@testable import Commands

struct TemplatePrinterTests {
    private static let item: Item = {
        var item = InventedItems.latin
        item.tags = ["coffee", "cup"]
        item.media.append(InventedItems.media(.thumbnail, "https://cdn.example.com/t.jpg", (150, 100)))
        item.stats = [Statistic(name: "likes", value: 321)]
        return item
    }()

    @Test(arguments: [
        ("{title}", "Cup of coffee on a wooden table\n"),
        ("{provider}:{id}\\t{author.name}", "pixabay:171653\tJane Miller\n"),
        ("{media.url} {width}×{height}", "https://cdn.example.com/171653.jpg 4000×3000\n"),
        ("{media.1.url}", "https://cdn.example.com/t.jpg\n"),
        ("{media.7.url|media.thumbnail.width}", "150\n"),
        ("{tags}", "coffee; cup\n"),
        ("{index}: {name}@{host}, {role}", "1: 171653@cdn.example.com, original\n"),
        ("{created|description|id}", "171653\n"),
        ("{ title | id }", "Cup of coffee on a wooden table\n"),
        ("{stats.likes}/{stats.views}", "321/\n"),
        ("\\{{id}\\}", "{171653}\n"),
        ("{title:slug:13}.jpg", "cup-of-coffee.jpg\n"), ("{index:03}\\t{author.name:upper}", "001\tJANE MILLER\n"),
        ("{created|id:yyyy-MM}", "\n"), ("{created|'no date'}", "no date\n"),
        ("{id}\\n", "171653\n"),
        ("{id}\\0", "171653\0"),
    ])
    func fieldsAreReplaced(template: String, expected: String) throws {
        let sink = MemorySink()
        var printer = TemplatePrinter(try ItemTemplate(template), to: sink, on: .pipe)
        try printer.print(Self.item)
        #expect(sink.text == expected)
    }

    @Test(arguments: ["{titel}", "{media}", "{media.best.url}", "{media.url.x}", "{}", "{id|nope}", "{stats.}"])
    func unknownFieldIsAnErrorThatListsTheFields(template: String) {
        let error = #expect(throws: OutputError.self) { try ItemTemplate(template) }
        #expect(error?.code == .unknownField)
        #expect(error?.message.contains("author.name") == true)
    }

    @Test func unknownFilterIsAnErrorThatListsTheFilters() {
        let error = #expect(throws: OutputError.self) { try ItemTemplate("{title:shout}") }
        #expect(error?.code == .unknownField)
        #expect(error?.message.contains("“{title:shout}” has the filter “shout”; there are slug, lower") == true)
    }

    @Test func openBraceIsAnError() {
        #expect(throws: OutputError.self) { try ItemTemplate("{title") }
    }

    @Test func valuesStayOnOneLineInAPipe() throws {
        let sink = MemorySink()
        var item = Self.item
        item.title = "one\r\ntwo\tthree\u{1b}[0m"
        var printer = TemplatePrinter(try ItemTemplate("{title}\\t{id}"), to: sink, on: .pipe)
        try printer.print(item)
        #expect(sink.text == "one two three\u{1b}[0m\t\(item.id)\n")
    }

    @Test func everyNamedFieldCanBeAsked() throws {
        for name in ItemField.Name.allCases { #expect(ItemField(name.rawValue) == .named(name)) }
    }
}
