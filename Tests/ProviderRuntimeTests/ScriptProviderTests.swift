import Foundation
import HTTPTransport
import HTTPTypes
import ProviderModel
import Synchronization
import TestSupport
import Testing

@testable import ProviderRuntime

@Suite("A script's operations are driven in a worker")
struct ScriptProviderTests {
    private static let search = """
        hosts: ['example.com'], base: 'https://example.com',
        search: { request: (q) => ({ url: '/s', query: { q: q.text } }),
          parse: (res) => ({ items: [{ id: '1', type: 'image', media: [], title: res.text }] }) },
        """

    @Test func itemsBelongToTheProviderThatGaveThem() async throws {
        let source = try await TestProvider.written(Self.search, over: ScriptedTransport("hello"))
        let page = try await source.page(of: .search("a b"), for: ProviderQuery(text: "a b"))
        #expect(page.items.map(\.provider.description) == ["made"])
        #expect(page.items.map(\.title) == ["hello"])
    }

    @Test(arguments: [
        ("auth: { type: 'bearer', optional: true },", [:], true),
        ("auth: { type: 'bearer' },", ["IMGSCRIPT_MADE_KEY": "k"], false),
        ("auth: { type: 'bearer', optional: true },", ["IMGSCRIPT_MADE_KEY": "k"], false), ("", [:], false),
    ])
    func refusedClientIsToldOfAKeyItMayHave(_ auth: String, _ variables: [String: String], _ isTold: Bool) async throws
    {
        let transport = ScriptedTransport([.init(status: 451)])
        let source = try await TestProvider.written(
            Self.search + auth, over: transport, credentials: TestProvider.secrets(variables))
        let error = await #expect(throws: ProviderError.self) {
            try await source.page(of: .search("x"), for: ProviderQuery(text: "x"))
        }
        #expect(error?.code == .blocked)
        let hint = Hint.storeKey(provider: "made", server: nil, variables: [])
        #expect((error?.hint == hint) == isTold)
    }

    @Test func answerThatIsNotUnderstoodIsToBeReported() async throws {
        let bugs = "bugs: 'https://made.example/issues',"
        let source = try await TestProvider.written(
            bugs + "hosts: ['example.com'], search: { request: () => ({ url: 'https://example.com/' }), "
                + "parse: (res) => ({ items: res.json.items.map(Number) }) },",
            over: ScriptedTransport("{}"), credentials: TestProvider.secrets([:]))
        let error = await #expect(throws: ProviderError.self) {
            try await source.page(of: .search("x"), for: ProviderQuery(text: "x"))
        }
        #expect(error?.code == .script)
        #expect(
            error?.hint == .reportFault(provider: "made", version: "1.0.0", place: "https://made.example/issues"))
    }

    @Test func sourceThatEndsSaysSoWithItsErrors() async throws {
        let source = try await TestProvider.written(
            Self.search + "deprecated: { date: '2026-01-20', ends: '2027-01-01', note: 'use another' },",
            over: ScriptedTransport([.init(status: 451)]))
        let error = await #expect(throws: ProviderError.self) {
            try await source.page(of: .search("x"), for: ProviderQuery(text: "x"))
        }
        let note = "Made is deprecated since 2026-01-20, ends on 2027-01-01: use another"
        #expect(error?.hint?.description == note)
    }

    @Test func aniListIsToldWhereRequestsComeFrom() async throws {
        let transport = ScriptedTransport(#"{"data":{"Page":{"pageInfo":{"hasNextPage":false},"media":[]}}}"#)
        let source = try await TestProvider.shipped("anilist", over: transport)
        _ = try await source.page(of: .search("x"), for: ProviderQuery(text: "x"))
        #expect(transport.requests.first?.headers[.referer]?.hasPrefix("https://") == true)
    }

    @Test func requestGoesOnlyWhereTheManifestAllows() async throws {
        let transport = ScriptedTransport("hello")
        let source = try await TestProvider.written(Self.search, over: transport)
        _ = try await source.page(of: .search("a b"), for: ProviderQuery(text: "a b"))
        let request = try #require(transport.requests.first)
        #expect(request.url.description.hasPrefix("https://example.com/s?q=a"))
        #expect(request.scope.provider.description == "made")
        #expect(request.scope.hosts.map(\.description) == ["example.com"])
    }

    @Test func fileWhoseIdIsNotItsNameIsRefused() async throws {
        let folder = TemporaryFolder()
        let script = """
            module.exports = { contract: 1, id: 'another', name: 'A', version: '1.0.0', hosts: ['example.com'],
              mediaHosts: ['*'],
              search: { request: () => ({ url: 'https://example.com/' }), parse: () => ({ items: [] }) } };
            """
        try script.write(toFile: folder.path + "/made.js", atomically: true, encoding: .utf8)
        let file = ProviderFile(id: ProviderID("made")!, folder: folder.path)
        let error = await #expect(throws: ProviderError.self) {
            try await ScriptProvider(file, in: TestProvider.environment(over: ScriptedTransport("")))
        }
        #expect(error?.description == "made.js: id: expected \"made\", as the file is named, found \"another\"")
    }

    @Test func transportErrorNamesProviderAndOperation() async throws {
        let source = try await TestProvider.written(Self.search, over: ScriptedTransport([]))
        let error = await #expect(throws: ProviderError.self) {
            try await source.page(of: .search("x"), for: ProviderQuery(text: "x"))
        }
        #expect(error?.code == .transport)
        #expect(error?.description == "made: search: the test has no answer for https://example.com/s?q=x")
    }

    @Test func scriptErrorNamesItsPlace() async throws {
        let source = try await TestProvider.written(
            """
            hosts: ['example.com'],
            search: { request: () => ({ url: 'https://example.com/' }), parse: (res) => ({ items: [{ id: 7.5 }] }) },
            """, over: ScriptedTransport("{}"))
        let error = await #expect(throws: ProviderError.self) {
            try await source.page(of: .search("x"), for: ProviderQuery(text: "x"))
        }
        #expect(error?.code == .result)
        #expect(error?.provider == "made")
        #expect(error?.operation == .search)
        #expect(error?.path == "items[0].id")
        #expect(error?.location?.file == "made.js")
    }

    @Test func instanceIsTheUsersOwnElseTheStandardOne() async throws {
        let script = """
            hosts: ['{instance}'], instance: { default: 'https://standard.example' },
            search: { request: (q) => ({ url: '/api', query: { on: q.instance } }), parse: () => ({ items: [] }) },
            """
        let chosen = "https://chosen.example"
        for (chosen, expected) in [(nil, "https://standard.example"), (chosen, chosen)] {
            let transport = ScriptedTransport("{}")
            let instance = try chosen.map { text throws(InvalidURL) in try WebURL(text) }
            let source = try await TestProvider.written(script, over: transport, instance: instance)
            _ = try await source.page(of: .search("x"), for: ProviderQuery(text: "x"))
            let request = try #require(transport.requests.first)
            #expect(request.url.origin == expected)
            #expect(request.scope.admits(request.url))
        }
    }

    @Test func batchIsSentSideBySideAndAnsweredInOrder() async throws {
        let transport = MeetingTransport(parties: 3)
        let source = try await TestProvider.written(
            """
            hosts: ['example.com'],
            *search(q) {
              const answers = yield ['a', 'b', 'c'].map((name) => ({ url: `https://example.com/${name}` }));
              return { items: answers.map((res) => ({ id: res.text, type: 'image', media: [] })) };
            },
            """, over: transport)
        let page = try await source.page(of: .search("x"), for: ProviderQuery(text: "x"))
        #expect(page.items.map(\.id) == ["/a", "/b", "/c"])
    }

    @Test func mediaStaysAsItIsWithoutDownloadOperation() async throws {
        let source = try await TestProvider.written(Self.search, over: ScriptedTransport([]))
        let media = Media(role: .original, url: try WebURL("https://images.example.com/1.jpg"))
        #expect(try await source.resolved(media, of: Item(provider: ProviderID("made")!, id: "1")) == media)
    }

    @Test func emptyLocationAndCameraAreDropped() async throws {
        let source = try await TestProvider.written(
            """
            hosts: ['example.com'],
            search: { request: () => ({ url: 'https://example.com/' }),
              parse: () => ({ items: [{ id: '1', type: 'image', media: [], location: {}, camera: { make: null } }] }) },
            """, over: ScriptedTransport("{}"))
        let page = try await source.page(of: .search("x"), for: ProviderQuery(text: "x"))
        #expect(page.items.first?.location == nil)
        #expect(page.items.first?.camera == nil)
    }
}

/// Answers with the request's path, the last to come first, and none before all have come.
private final class MeetingTransport: Transport {
    private let parties: Int
    private let gates = Mutex<[Gate]>([])

    init(parties: Int) { self.parties = parties }

    func send(_ request: TransportRequest) async throws -> TransportResponse {
        let gate = Gate()
        let isComplete = gates.withLock { gates in
            gates.append(gate)
            return gates.count == parties
        }
        if isComplete { openNext() }
        await gate.opened()
        openNext()
        return TransportResponse(status: 200, url: request.url, body: Array(request.url.path.utf8))
    }

    private func openNext() { gates.withLock { $0.popLast() }?.open() }
}

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

    @Test func missingServerIsAnErrorBeforeAnythingIsSent() async throws {
        let transport = ScriptedTransport("{}")
        let source = try await TestProvider.written(Self.text, over: transport)
        let error = await #expect(throws: ProviderError.self) {
            try await source.page(of: .search("x"), for: ProviderQuery(text: "x"))
        }
        #expect(error?.message == "no server given: this software runs on many servers")
        #expect(error?.hint == .several([.nameInstance, "A server of the kind."]))
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
