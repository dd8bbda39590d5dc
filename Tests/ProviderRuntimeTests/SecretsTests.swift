import HTTPTransport
import HTTPTypes
import ProviderModel
import Synchronization
import Testing

@testable import ProviderRuntime

@Suite("Secrets go to the service and never to the script")
struct SecretsTests {
    /// A script that returns everything it sees.
    private static func telltale(auth: String) -> String {
        """
        hosts: ['example.com'], auth: \(auth),
        search: {
          request: (q) => ({ url: 'https://example.com/s', query: { seen: JSON.stringify(q) } }),
          parse: (res, q) => ({ items: [{ id: '1', type: 'image', media: [], extra: {
            url: res.url, headers: res.headers, links: res.links, text: res.text, status: res.status, query: q,
            all: Object.getOwnPropertyNames(globalThis), environment: typeof process } }] }),
        },
        """
    }

    private static let key = "s3cret-k3y/+="

    @Test(arguments: [
        "{ type: 'query', name: 'key' }", "{ type: 'header', name: 'X-Key', template: 'Client-ID {key}' }",
        "{ type: 'bearer' }", "{ type: 'cookie', name: 'sid' }",
        "{ type: 'basic', user: '{key}', password: 'x' }",
    ])
    func nothingTheScriptSeesHasTheKey(auth: String) async throws {
        let echo = """
            {"you": "\(Self.key)", "form": "\(PercentEncoding.encode(Self.key))", "basic": "czNjcmV0LWszeS8rPQ=="}
            """
        let headers: HTTPFields = [
            HTTPField.Name("x-echo")!: "key=\(Self.key)", .setCookie: "session=\(Self.key)",
            .location: "https://example.com/?key=\(PercentEncoding.encode(Self.key))",
        ]
        let transport = ScriptedTransport(echo, headers: headers)
        let source = try await TestProvider.written(
            Self.telltale(auth: auth), over: transport,
            credentials: TestProvider.secrets(["IMGSCRIPT_MADE_KEY": Self.key]))
        let page = try await source.page(of: .search("x"), for: ProviderQuery(text: "x"))
        let seen = try #require(page.items.first?.extra?.description)
        for form in [Self.key, PercentEncoding.encode(Self.key), "czNjcmV0LWszeS8rPQ", "s3cret"] {
            #expect(!seen.contains(form))
        }
        #expect(seen.contains("***"))
        #expect(!seen.contains("set-cookie"))
        let request = try #require(transport.requests.first)
        #expect(request.credentials != nil)
        #expect(!request.url.description.contains("s3cret"))
        #expect(!request.description.contains("s3cret"))
    }

    @Test(arguments: [([:], 20), (["IMGSCRIPT_MADE_KEY": key], 500)] as [([String: String], Int)])
    func limitsAreThoseOfTheWayThatIsUsed(variables: [String: String], pageSize: Int) async throws {
        let auth = "{ type: 'bearer', optional: true, limits: { pageSize: { max: 500 }, rate: ['100/60s'] } }"
        let source = try await TestProvider.written(
            "limits: { pageSize: { max: 20 } }, \(Self.telltale(auth: auth))", over: ScriptedTransport("{}"),
            credentials: TestProvider.secrets(variables))
        #expect(source.manifest.limits.pageSize.maximum == pageSize)
        #expect(source.manifest.limits.rates.map(\.requests) == (pageSize == 500 ? [100] : []))
    }

    @Test func missingKeySaysWhereToGetOneAndWhereItIsLookedFor() async throws {
        let transport = ScriptedTransport("{}")
        let source = try await TestProvider.written(
            Self.telltale(
                auth: "{ type: 'query', fields: { id: '{user}', key: '{key}' }, help: 'https://example.com/keys' }"),
            over: transport, credentials: TestProvider.secrets([:]))
        let error = await #expect(throws: ProviderError.self) {
            try await source.page(of: .search("x"), for: ProviderQuery(text: "x"))
        }
        #expect(error?.code == .auth)
        #expect(error?.operation == .search)
        #expect(error?.message == "a key is required (keys are issued at https://example.com/keys)")
        #expect(
            error?.hint
                == .storeKey(provider: "made", server: nil, variables: ["IMGSCRIPT_MADE_USER", "IMGSCRIPT_MADE_KEY"]))
        #expect(transport.requests.isEmpty)
    }

    @Test func keyThatOnlyRaisesLimitsIsNotMissed() async throws {
        let transport = ScriptedTransport("{}")
        let source = try await TestProvider.written(
            Self.telltale(auth: "{ type: 'query', name: 'key', optional: true }"), over: transport,
            credentials: TestProvider.secrets([:]))
        _ = try await source.page(of: .search("x"), for: ProviderQuery(text: "x"))
        #expect(transport.requests.count == 1)
        #expect(transport.requests.first?.credentials == nil)
    }

    @Test func requestWithoutAuthNeedsAndGetsNoKey() async throws {
        let script = """
            hosts: ['example.com'], auth: { type: 'query', name: 'key' },
            search: { request: () => ({ url: 'https://example.com/', auth: false }), parse: () => ({ items: [] }) },
            """
        for variables in [[:], ["IMGSCRIPT_MADE_KEY": Self.key]] {
            let transport = ScriptedTransport("{}")
            let source = try await TestProvider.written(
                script, over: transport, credentials: TestProvider.secrets(variables))
            _ = try await source.page(of: .search("x"), for: ProviderQuery(text: "x"))
            #expect(transport.requests.first?.credentials == nil)
        }
    }

    @Test func recordedAnswersNeedNoKey() async throws {
        let transport = ScriptedTransport("{}")
        let source = try await TestProvider.written(
            Self.telltale(auth: "{ type: 'query', name: 'key' }"), over: transport, credentials: .none)
        _ = try await source.page(of: .search("x"), for: ProviderQuery(text: "x"))
        #expect(transport.requests.first?.credentials == nil)
    }

    @Test func placeholdersShowWhereTheKeyWouldGo() async throws {
        let transport = ScriptedTransport("{}")
        let source = try await TestProvider.written(
            Self.telltale(auth: "{ type: 'query', name: 'key' }"), over: transport, credentials: .placeholders)
        _ = try await source.page(of: .search("x"), for: ProviderQuery(text: "x"))
        #expect(transport.requests.first?.description.hasSuffix("&key=***") == true)
    }

    // MARK: Session

    private static func session(expiresIn: String) -> String {
        """
        hosts: ['example.com'], auth: { type: 'header', name: 'X-Guest', template: 'Guest {session.token}' },
        session: { request: () => ({ url: 'https://example.com/guest' }),
          parse: (res) => ({ values: { token: res.json.token }\(expiresIn) }) },
        *search(q) {
          const answers = yield ['a', 'b', 'c'].map((name) => ({ url: `https://example.com/${name}` }));
          return { items: [{ id: '1', type: 'image', media: [], extra: { seen: answers.map((res) => res.text) } }] };
        },
        """
    }

    private static let guest = ScriptedTransport.Answer(
        part: "/guest", body: Array(#"{"token": "guest-token-1"}"#.utf8))

    @Test func sessionIsBegunOnceForRequestsSideBySideAndForLaterPages() async throws {
        let transport = ScriptedTransport([Self.guest, .init(body: Array("you are guest-token-1".utf8))])
        let source = try await TestProvider.written(
            Self.session(expiresIn: ", expiresIn: 3600"), over: transport, credentials: TestProvider.secrets([:]))
        for _ in 1...2 {
            let page = try await source.page(of: .search("x"), for: ProviderQuery(text: "x"))
            #expect(page.items.first?.extra?.description == #"{"seen":["you are ***","you are ***","you are ***"]}"#)
        }
        let requests = transport.requests
        #expect(requests.filter { $0.url.path == "/guest" }.count == 1)
        #expect(requests.count == 7)
        let sent = requests.filter { $0.url.path != "/guest" }.map { $0.credentials?.session.values["token"] }
        #expect(sent == Array(repeating: "guest-token-1", count: 6))
    }

    @Test func failedSessionIsTheSearchesErrorAndIsTriedAgain() async throws {
        let transport = ScriptedTransport([.init(part: "/guest", status: 503), .init()])
        let source = try await TestProvider.written(
            Self.session(expiresIn: ""), over: transport, credentials: TestProvider.secrets([:]))
        for _ in 1...2 {
            let before = transport.requests.count
            let error = await #expect(throws: ProviderError.self) {
                try await source.page(of: .search("x"), for: ProviderQuery(text: "x"))
            }
            #expect(error?.operation == .session)
            // Of the page's three requests, one that begins after the others have failed asks once more.
            #expect((1...3).contains(transport.requests.count - before))
        }
        #expect(transport.requests.allSatisfy { $0.url.path == "/guest" })
    }

    /// Knows the guests of its second login only.
    private final class ForgetfulSource: Transport {
        let logins = Mutex(0)
        let accepts: Bool

        init(accepts: Bool) { self.accepts = accepts }

        nonisolated(nonsending) func send(_ request: TransportRequest) async throws -> TransportResponse {
            let guest = request.credentials?.session.values["token"]
            let (status, text): (Int, String) =
                if request.url.path == "/guest" {
                    (200, #"{"token": "\#(logins.withLock { $0 += 1; return $0 })"}"#)
                } else if request.url.path == "/first" || (guest == "2" && accepts) {
                    (200, "welcome")
                } else {
                    (401, "who are you?")
                }
            return TransportResponse(status: status, url: request.url, headers: [:], body: Array(text.utf8))
        }
    }

    @Test(arguments: [true, false]) func sessionThatTheSourceEndedIsBegunAgainOnce(accepts: Bool) async throws {
        let transport = ForgetfulSource(accepts: accepts)
        let source = try await TestProvider.written(
            """
            hosts: ['example.com'], auth: { type: 'header', name: 'X-Guest', template: 'Guest {session.token}' },
            session: { request: () => ({ url: 'https://example.com/guest' }),
              parse: (res) => ({ values: { token: res.json.token } }) },
            search: { request: (q) => ({ url: `https://example.com/${q.text}` }),
              parse: (res) => ({ items: [{ id: '1', media: [], title: res.text }] }) },
            """, over: transport, credentials: TestProvider.secrets([:]))
        _ = try await source.page(of: .search("first"), for: ProviderQuery(text: "first"))
        let later = Task { try await source.page(of: .search("later"), for: ProviderQuery(text: "later")) }
        if accepts {
            #expect(try await later.value.items.map(\.title) == ["welcome"])
        } else {
            await #expect(throws: ProviderError.self) { try await later.value }
        }
        #expect(transport.logins.withLock(\.self) == 2)
    }
}
