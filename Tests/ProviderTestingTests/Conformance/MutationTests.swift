import ProviderModel
import Testing

@testable import ProviderTesting

@Suite("Changes to answers")
struct MutationTests {
    @Test func eachFieldChangesHoweverManyElementsThereAre() throws {
        let json = try JSONValue(parsing: #"{"total":2,"hits":[{"id":1,"tags":["a"]},{"id":2,"tags":[]}]}"#.utf8)
        var chance = SeededChance(seed: 1)
        let labels = JSONMutations(of: json).some(100, by: &chance).map(\.label)
        let paths = Set(labels.map { String($0.prefix { $0 != " " }) })
        #expect(paths == ["$.total", "$.hits", "$.hits[].id", "$.hits[].tags"])
        #expect(labels.count == 3 + 4 + 3 + 4)
    }

    @Test func aBudgetIsKept() {
        var chance = SeededChance(seed: 1)
        let body = Array(#"{"a":1,"b":2,"c":3}"#.utf8)
        let mutations = AnswerMutation.some(5, of: body, by: &chance)
        #expect(mutations.count == 5 && mutations.allSatisfy { $0.body != body })
    }

    @Test func markupLosesAttributesAndElements() {
        var chance = SeededChance(seed: 1)
        let body = Array(#"<ul class="x"><li data-id="1"><img src="a.png"></li></ul>"#.utf8)
        let mutations = MarkupMutations(of: body).some(100, by: &chance)
        let texts = mutations.map { "\($0.label): \(String(decoding: $0.body, as: UTF8.self))" }
        #expect(texts.contains { $0.hasPrefix("the attribute src missing") && $0.contains("data-was-src=") })
        #expect(texts.contains { $0.hasPrefix("the attribute data-id empty") && $0.contains(#"data-id="""#) })
        #expect(
            texts.contains {
                $0.hasPrefix("the element li missing") && $0.contains("<was-li") && $0.contains("</was-li>")
            })
    }

    @Test(
        arguments: [
            ("undefined", "undefined"), ("https://a.example/users/undefined/", "undefined"), ("a-null", "null"),
            ("NaN", "NaN"),
            ("by [object Object]", "[object Object]"), ("null", "null"),
            ("an undefinedness", nil), ("null and void", nil), ("the null island", nil), ("Nana", nil), ("", nil),
        ] as [(String, String?)])
    func missingValueIsAWordOfItsOwn(_ text: String, _ word: String?) {
        #expect(MissingValueText.word(in: text) == word)
    }

    @Test(arguments: [
        ("2024-05-01", true), ("2024-05-01T10:00:00Z", true), ("2024", true), ("2024-05", true), ("2024-02-30", false),
        ("1970-01-01T00:00:00.000Z", false), ("9999-01-01", false),
    ])
    func datesAreDaysThatPicturesCanHave(_ text: String, _ isGood: Bool) {
        #expect((DatesCheck.fault(in: text) == nil) == isGood, "\(text)")
    }
}
