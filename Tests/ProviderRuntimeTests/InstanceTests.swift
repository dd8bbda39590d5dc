import ProviderModel
import Testing

@testable import ProviderRuntime

@Suite("Software that runs on many servers is asked on the one that was chosen")
struct InstanceTests {
    private static let text = """
        instance: { help: 'A server of the kind.' }, hosts: ['{instance}'],
        search: {
          request: (q) => ({ url: `/s`, query: { q: q.text } }),
          parse: (res) => ({ items: [{ id: '1', type: 'image', media: [] }] }),
        },
        match: [{ pattern: '{instance}/posts/{id}', item: { id: '{id}' } }],
        """

    @Test func serverThatNobodyNamedIsAskedForBeforeAnythingIsSent() async throws {
        let transport = ScriptedTransport("{}")
        let source = try await TestProvider.written(Self.text, over: transport)
        let error = await #expect(throws: ProviderError.self) {
            try await source.page(of: .search("x"), for: ProviderQuery(text: "x"))
        }
        #expect(error?.message == "this software runs on many servers, and none was named")
        #expect(error?.hint == "name one with --instance https://…; A server of the kind.")
        #expect(transport.requests.isEmpty)
        #expect(source.isWithoutInstance)
        #expect(source.item(matching: "https://a.example/posts/7") == nil)
    }

    @Test func pagesOfTheChosenServerAreKnown() async throws {
        let source = try await TestProvider.written(
            Self.text, over: ScriptedTransport("{}"), instance: WebURL("https://a.example"))
        #expect(source.item(matching: "https://a.example/posts/7")?.id == "7")
        #expect(source.item(matching: "https://b.example/posts/7") == nil)
    }
}
