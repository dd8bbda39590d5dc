import FoundationEssentials
import HTTPTypes
import ProviderModel
import TestSupport
import Testing

@testable import HTTPTransport

@Suite struct CredentialsTests {
    private static let provider = ProviderID("tested")!
    private static let secrets = ["key": "s3cret/key+1", "user": "someone", "password": "pass word"]

    private func applied(
        _ placement: AuthenticationMethod.Placement, session: [String: String] = [:],
        to url: String = "https://images.example/a?q=x&key=***"
    ) throws -> WireRequest {
        let credentials = try #require(
            Credentials(
                provider: Self.provider,
                methods: [AuthenticationMethod(placement: placement)],
                secrets: Self.secrets,
                session: SessionValues(session)
            )
        )
        var wire = WireRequest(url: try WebURL(url), headers: [:])
        try credentials.apply(to: &wire)
        return wire
    }

    /// A name stands in tags, texts and addresses that have nothing to do with the login.
    @Test(arguments: ["user", "username", "user_id", "email", "account"])
    func nameOfTheUserIsNotMasked(_ name: String) throws {
        let methods: [AuthenticationMethod.Placement] = [
            .query([NamedValue("u", "{\(name)}"), NamedValue("k", "{key}")]),
            .basic(user: "{\(name)}", password: "{key}"),
        ]
        for method in methods {
            let credentials = try #require(
                Credentials(
                    provider: Self.provider, methods: [AuthenticationMethod(placement: method)],
                    secrets: [name: "snow", "key": "s3cret/key+1"],
                    session: SessionValues(["token": "t0ken", "user_id": "12345"])))
            let text = "snow in https://a.example/snow/12345.jpg, s3cret/key+1, t0ken, c25vdzpzM2NyZXQva2V5KzE="
            let expected = "snow in https://a.example/snow/12345.jpg, ***, ***, "
            #expect(credentials.redaction.redact(text).hasPrefix(expected))
            let pair = credentials.redaction.redact("c25vdzpzM2NyZXQva2V5KzE=")
            if case .basic = method { #expect(pair == "***") }
        }
    }

    @Test func numberOfAnAccountAmongCookiesIsNotMasked() throws {
        let cookies = [("z_id", "123456"), ("z_hash", "a1b2c3"), ("theme", "dark"), ("long", "1234567890123456")]
            .compactMap {
                Cookie(name: $0.0, value: $0.1, domain: "a.example", isHostOnly: true)
            }
        let method = AuthenticationMethod(placement: .cookies(needs: ["z_id", "z_hash"]))
        let credentials = try #require(
            Credentials(provider: Self.provider, methods: [method], secrets: [:], cookies: cookies))
        #expect(credentials.redaction.redact("123456 a1b2c3 dark 1234567890123456") == "123456 *** dark ***")
    }

    @Test func queryPairReplacesAMaskedOne() throws {
        let wire = try applied(.query([NamedValue("key", "{key}")]))
        #expect(wire.url.description == "https://images.example/a?q=x&key=s3cret%2Fkey%2B1")
    }

    @Test func urlThatTheKeyMakesTooLongIsRefused() throws {
        let start = "https://images.example/a?q="
        let longest = start + String(repeating: "x", count: 8_192 - start.count)
        let error = #expect(throws: TransportError.self) {
            try applied(.query([NamedValue("key", "{key}")]), to: longest)
        }
        #expect(error?.code == .badRequest && error?.message.contains("s3cret") == false)
    }

    @Test func headerIsFilledFromItsTemplate() throws {
        let wire = try applied(.header([NamedValue("Authorization", "Client-ID {key}")]))
        #expect(wire.headers[.authorization] == "Client-ID s3cret/key+1")
    }

    @Test func basicIsEncoded() throws {
        let wire = try applied(.basic(user: "{user}", password: "{password}"))
        #expect(wire.headers[.authorization] == "Basic c29tZW9uZTpwYXNzIHdvcmQ=")
    }

    @Test func sessionValuesAreFilledOnceThereAreAny() throws {
        let placement = AuthenticationMethod.Placement.cookie([
            NamedValue("sid", "{session.id}"), NamedValue("u", "{user}"),
        ])
        #expect(try applied(placement).headers[.cookie] == "u=someone")
        #expect(try applied(placement, session: ["id": "abc"]).headers[.cookie] == "sid=abc; u=someone")
    }

    @Test func firstWayWithAllItsSecretsIsUsed() {
        let ways = [
            AuthenticationMethod(placement: .oauth2(OAuth2Endpoints(token: try! WebURL("https://a.example/token")))),
            AuthenticationMethod(placement: .query([NamedValue("key", "{key}")]), isOptional: true),
        ]
        let credentials = Credentials(provider: Self.provider, methods: ways, secrets: ["key": "k", "client_id": "c"])
        #expect(credentials?.method == ways[1])
        #expect(Credentials(provider: Self.provider, methods: ways, secrets: ["key": ""]) == nil)
    }

    @Test(arguments: ["a\r\nX-Evil: 1", "a\nb", "a\0b"])
    func secretWithALineBreakIsRefused(value: String) async throws {
        let server = try LoopbackServer { _ in .answer() }
        var request = server.request()
        request.credentials = Credentials(
            provider: Self.provider,
            methods: [AuthenticationMethod(placement: .header([NamedValue("X-Key", "{key}")]))],
            secrets: ["key": value]
        )
        let transport = CurlTransport(settings: try .loopback())
        let error = await TransportError.of { [request] in _ = try await transport.send(request) }
        #expect(error?.code == .badRequest)
        #expect(server.requests.isEmpty)
    }

    @Test func descriptionIsMasked() throws {
        let ways = [AuthenticationMethod(placement: .query([NamedValue("key", "{key}")]))]
        var request = TransportRequest(url: try WebURL("https://pixabay.com/api/?q=coffee"), scope: .everywhere)
        request.credentials = Credentials(provider: Self.provider, methods: ways, secrets: Self.secrets)
        #expect(request.description == "GET https://pixabay.com/api/?q=coffee&key=***")
        request.credentials = Credentials(
            provider: Self.provider,
            methods: [AuthenticationMethod(placement: .header([NamedValue("Authorization", "Client-ID {key}")]))],
            secrets: Self.secrets
        )
        #expect(request.description == "GET https://pixabay.com/api/?q=coffee (Authorization: Client-ID ***)")
    }

    @Test func echoOfASecretNeverReachesTheCaller() async throws {
        let server = try LoopbackServer { request in
            let next = "http://127.0.0.1\(request.target)&page=2"
            return .answer(
                headers: [("Link", "<\(next)>; rel=\"next\"")],
                text: "{\"next\": \"\(next)\", \"raw\": \"s3cret/key+1\"}"
            )
        }
        var request = server.request("/a?q=x")
        request.credentials = Credentials(
            provider: Self.provider,
            methods: [AuthenticationMethod(placement: .query([NamedValue("key", "{key}")]))],
            secrets: Self.secrets
        )
        let response = try await CurlTransport(settings: .loopback()).send(request)
        #expect(response.text == "{\"next\": \"http://127.0.0.1/a?q=x&key=***&page=2\", \"raw\": \"***\"}")
        #expect(response.headers[HTTPField.Name("link")!] == "<http://127.0.0.1/a?q=x&key=***&page=2>; rel=\"next\"")
    }
}

@Suite struct SecretRedactionTests {
    private let redaction = SecretRedaction(["s3cret/key+1", "someone:pass word", "abc"])

    @Test(arguments: [
        ("key=s3cret/key+1.", "key=***."), ("key=s3cret%2Fkey%2B1&x", "key=***&x"), ("key=s3cret%2fkey%2b1", "key=***"),
        ("Basic c29tZW9uZTpwYXNzIHdvcmQ=", "Basic ***"), ("someone%3Apass+word", "***"),
        ("s3cret/key+1s3cret/key+1", "******"),
        ("nothing", "nothing"), ("abc", "abc"), ("", ""),
    ])
    func everyFormIsMasked(text: String, masked: String) {
        #expect(redaction.redact(text) == masked)
        #expect(redaction.redact(Array(text.utf8)) == Array(masked.utf8))
    }

    @Test(arguments: 0..<3)
    func base64InsideALongerTextIsMasked(shift: Int) {
        let encoded = Data((String(repeating: "x", count: shift) + "s3cret/key+1" + "tail").utf8).base64EncodedString()
        #expect(redaction.redact(encoded).contains("***"))
    }
}

@Suite struct ScriptHeadersTests {
    private let url = try! WebURL("https://images.example/")

    @Test(arguments: [
        ("X-A", "a\r\nX-B: b"), ("X-A", "a\nb"), ("X-A", "a\0"), ("X A", "a"), ("", "a"), ("X:A", "a"),
        ("X-A\r\n", "a"),
        ("Host", "evil.example"), ("content-length", "5"), ("Cookie", "a=b"), ("Transfer-Encoding", "chunked"),
        ("Connection", "close"), ("proxy-authorization", "x"),
    ])
    func dangerousLineIsRefused(name: String, value: String) {
        #expect(throws: TransportError.self) { try ScriptHeaders.fields([NamedValue(name, value)], for: url) }
    }

    @Test func ordinaryLinesPass() throws {
        let fields = try ScriptHeaders.fields(
            [NamedValue("Referer", "https://a.example/"), NamedValue("X-Empty", "")],
            for: url
        )
        #expect(fields[.referer] == "https://a.example/")
        #expect(fields[HTTPField.Name("x-empty")!] == "")
    }

    @Test func bodyAndAcceptFollowTheProvidersRequest() throws {
        let manifest = ProviderManifest(id: ProviderID("tested")!, name: "Tested", version: "1.0.0")
        var request = ProviderRequest(url: url)
        request.method = .post
        request.body = .form([NamedValue("q", "a b"), NamedValue("x", "ä&")])
        let sent = try TransportRequest(request, of: manifest)
        #expect(String(decoding: sent.body, as: UTF8.self) == "q=a%20b&x=%C3%A4%26")
        #expect(sent.headers[.contentType] == "application/x-www-form-urlencoded")
        #expect(sent.headers[.accept]?.hasPrefix("application/json") == true)
        request.body = .json(JSONText(validated: "{}"))
        request.headers = [NamedValue("Content-Type", "application/vnd.api+json")]
        #expect(try TransportRequest(request, of: manifest).headers[.contentType] == "application/vnd.api+json")
    }
}
