import ProviderModel
import Testing

@Suite("A template's names stand for values")
struct TemplateTests {
    private let values = ["a": "1", "author.name": "Bo", "media[0].url": "u", "e": ""]

    @Test(arguments: [
        ("", ""), ("plain", "plain"), ("{a}", "1"), ("x{a}y{a}", "x1y1"), ("by {author.name}", "by Bo"),
        ("{media[0].url}", "u"), ("{unknown}!", "!"), ("[{e}]", "[]"), ("{}", "{}"), ("{ a }", "{ a }"), ("{a", "{a"),
        ("a}", "a}"), ("{{a}}", "{1}"), ("{\"a\": {a}}", "{\"a\": 1}"),
    ])
    func namesAreFilledAndOtherBracesStay(_ text: String, _ expected: String) {
        #expect(Template(text).filled { values[$0] } == expected)
    }

    @Test func namesComeInOrder() {
        #expect(Template("{b}{a} {session.token}{b}").placeholders == ["b", "a", "session.token", "b"])
    }

    @Test func valuesAreNotReadAsTemplates() {
        #expect(Template("{a}").filled { _ in "{a}" } == "{a}")
    }
}
