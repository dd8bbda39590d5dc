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
        (#"{"page":1}"#, #"{"page":2}"#, "body $.page: recorded 1, requested 2"),
        ("page=1&q=tea", "page=2&q=tea", "form field `page`: recorded \"1\", requested \"2\""),
        ("q=tea", "q=tea&page=2", "form field `page`: not recorded, requested \"2\""),
        ("q=tea&page=2", "q=tea", "form field `page`: recorded \"2\", not requested"),
        ("", "q=tea", "body: recorded empty, requested \"q=tea\""),
        ("[1, 2]", "q=tea", "body: recorded \"[1,2]\", requested \"q=tea\""),
    ])
    func whatDiffersIsNamed(_ recorded: String, _ asked: String, _ line: String) throws {
        #expect(try differences(recorded, asked) == [line])
    }
}
