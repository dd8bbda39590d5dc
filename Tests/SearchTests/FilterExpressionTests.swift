import ProviderModel
import Testing

@testable import Search

@Suite("An expression compares fields with values")
struct FilterExpressionTests {
    private let item: Item = {
        var item = Item(provider: ProviderID("fake")!, id: "1984")
        item.title = "A Cat in Rome"
        item.tags = ["cat", "city life"]
        item.license = License(id: "cc0-1.0")
        item.created = "2024-06"
        item.stats = [Statistic(name: "likes", value: 12)]
        item.rating = .safe
        var media = Media(role: .original, url: try! WebURL("https://example.com/1.jpg"))
        (media.width, media.height) = (2_000, 1_500)
        item.media = [media]
        return item
    }()

    @Test(arguments: [
        ("width >= 2000", true), ("width > 2000", false), ("width<2001", true), ("width <= 1999", false),
        ("media.original.height = 1500", true), ("stats.likes > 10", true), ("stats.views > 10", false),
        (#"title contains "CAT""#, true), ("title contains dog", false), ("title = 'a cat in rome'", true),
        ("tags contains cat", true), ("tags contains ca", false), ("tags = \"City Life\"", true),
        (#"license = "cc0""#, true), (#"license != "cc0""#, false), ("license != cc-by", true),
        ("rating = safe", true), ("id = 1984", true), ("id == \"1984\"", true),
        ("created >= 2024", true), ("created > 2024-06-10", false), ("created > 2024-05-31", true),
        ("created < 2024-07-01", true), ("created = 2024-06-10", true), ("created < 7d", true),
        ("camera", false), ("not camera", true), ("title", true), ("camera.iso > 100", false),
        ("camera.iso != 100", true), ("not camera.iso > 100", true),
        ("width > 5000 or height > 1000 and rating = safe", true),
        ("(width > 5000 or height > 1000) and id = 1", false),
        ("NOT (width > 5000) AND title", true), (#"title = "\"" or title != '\''"#, true),
    ])
    func comparisonIsTrueOfTheItem(_ text: String, _ expected: Bool) throws {
        #expect(try FilterExpression(text).isTrue(of: item) == expected, "\(text)")
    }

    @Test(arguments: [
        ("", "empty (expected a comparison such as width >= 2000)"),
        ("widht > 1", #"unknown field "widht"; did you mean "width"?"#),
        ("width >", "expected a value after >, found the end"),
        ("width > and", #"expected a number after >, found "and""#),
        ("title > \"a\"", #"expected a number after >, found "a""#),
        ("(width > 1", "( without )"), ("width > 1)", #"unexpected ")" (expected and, or, or the end)"#),
        ("width > 1 height > 1", #"unexpected "height" (expected and, or, or the end)"#),
        ("title = \"a", "a quote is not closed"), ("= 1", #"expected a field, found "=""#),
        ("created > tomorrow", #"created: invalid date "tomorrow" (expected a date such as 2026-05-01, or 7d)"#),
        ("width ! 1", #"unexpected "!""#), ("index > 3", "unknown field \"index\""),
        (String(repeating: "(", count: 100_000), "nested too deeply (expected at most 64 levels)"),
    ])
    func faultSaysWhatWasFound(_ text: String, _ message: String) {
        let fault = #expect(throws: FilterExpression.Fault.self) { try FilterExpression(text) }
        #expect(fault?.description.hasPrefix("invalid filter \"") == true)
        #expect(fault?.description.contains(": \(message)") == true, "\(fault?.description ?? "")")
    }
}
