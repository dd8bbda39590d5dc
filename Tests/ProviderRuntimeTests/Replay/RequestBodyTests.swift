import HTTPTransport
import ProviderModel
import ProviderRuntime
import ProviderTestSupport
import Testing

@Suite("Bodies that say the same are the same")
struct RequestBodyTests {
    private func differences(_ recorded: String, _ asked: String) throws -> [String] {
        let url = "https://api.made.example/"
        let entry = Cassette.Entry(method: "POST", url: try WebURL(url), body: Array(recorded.utf8), content: [])
        return RequestDifference(of: try request(url, method: .post, body: asked), from: entry).lines
    }

    @Test(arguments: [
        (#"{"a":1,"b":[{"c":2,"d":null}]}"#, #"{ "b": [ {"d":null, "c":2} ], "a": 1 }"#),
        ("a=1&b=x+y", "b=x%20y&a=1"), ("key=***&q=tea", "q=tea&key=sesame"), (#"{"token":"***"}"#, #"{"token":"t"}"#),
        ("plain text", "plain text"), ("", ""),
    ])
    func sameIs(_ recorded: String, _ asked: String) throws {
        #expect(try differences(recorded, asked) == [])
    }

    @Test(arguments: [
        (#"{"page":1}"#, #"{"page":2}"#, "the body's $.page is 1, asked with 2"),
        ("page=1&q=tea", "page=2&q=tea", "the form's `page` is \"1\", asked with \"2\""),
        ("q=tea", "q=tea&page=2", "the form's `page` is not there, asked with \"2\""),
        ("q=tea&page=2", "q=tea", "the form's `page` is \"2\", asked with none"),
        ("", "q=tea", "the body is empty, asked with \"q=tea\""),
        ("[1, 2]", "q=tea", "the body is \"[1,2]\", asked with \"q=tea\""),
    ])
    func whatDiffersIsNamed(_ recorded: String, _ asked: String, _ line: String) throws {
        #expect(try differences(recorded, asked) == [line])
    }
}
