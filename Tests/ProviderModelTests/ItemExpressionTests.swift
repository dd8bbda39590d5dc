import ProviderModel
import Testing

@Suite struct ItemExpressionTests {
    private static let subject: ItemSubject = {
        var item = Item(provider: ProviderID("example")!, id: "abc")
        item.title = "Red fox, at dawn"
        item.tags = ["fox", "dawn"]
        item.created = "2024-05-06T07:08:09Z"
        return ItemSubject(item: item, media: nil, provider: item.provider, index: 7)
    }()

    @Test(arguments: [
        ("title", "Red fox, at dawn"), ("description|title", "Red fox, at dawn"), (" title | id ", "Red fox, at dawn"),
        ("title:slug", "red-fox-at-dawn"), ("title : slug : 7", "red-fox"), ("title:lower:7", "red fox"),
        ("index:04", "0007"), ("created:yyyy-MM", "2024-05"), ("description|'a|b: c':slug", "a|b: c"),
        ("description|'none':upper", "none"), ("title:yyyy", nil), ("description", nil), ("description|''", ""),
        ("title:9000", "Red fox, at dawn"),
        ("created:yyyy|'no date'", "2024"), ("description:yyyy|'no date'", "no date"), ("title:yyyy|id:upper", "ABC"),
        ("title:upper|id:slug", "red-fox-at-dawn"), ("title:7|id:upper", "RED FOX"),
    ])
    func firstThatSaysSomethingIsTaken(_ text: String, _ value: String?) throws {
        #expect(try ItemExpression(text).value(of: Self.subject) == value)
    }

    @Test(arguments: [
        ("", ItemExpression.Fault.field("")), ("titel", .field("titel")), ("title|", .field("")),
        ("'open", .field("'open")), ("title:sixty|id", .filter("sixty")),
        ("title:", .filter("")), ("title:shout", .filter("shout")), ("title:0", .filter("0")),
        ("created:yyyy/MM", .filter("yyyy/MM")), ("title:12345", .filter("12345")),
    ])
    func whatThereIsNotIsNamed(_ text: String, _ fault: ItemExpression.Fault) {
        #expect(throws: fault) { try ItemExpression(text) }
    }

    @Test func fieldsAreThoseOfAllAlternatives() throws {
        #expect(try ItemExpression("title|'x'|id:slug").fields == [.named("title"), .named("id")])
    }

    @Test(arguments: [
        ("Café à la crème", "cafe-a-la-creme"), ("Straße — Æther", "strasse-aether"), ("狐 と 月", "狐-と-月"),
        ("don’t  stop!!", "dont-stop"), ("Ёлка", "ёлка"), ("It's -- 1_A!", "its-1-a"),
    ])
    func slugsKeepLettersAndDigits(_ text: String, _ slug: String) {
        #expect(ValueFilter.slug.applied(to: text) == slug)
    }
}
