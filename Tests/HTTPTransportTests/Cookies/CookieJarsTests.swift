import HTTPTypes
import ProviderModel
import TestSupport
import Testing

@testable import HTTPTransport

/// Cookies of a login over real connections.
struct CookieJarsTests {
    private let jars = CookieJars()
    private let secret = "31d4d96e407aad42c0ffee"

    private var transport: RedirectingTransport {
        get throws {
            let client = CurlTransport(settings: try .loopback())
            return RedirectingTransport(
                over: LoginTransport(
                    over: client, tokens: OAuthTokens(over: client, now: { 1_000 }), jars: jars, now: { 1_000 }))
        }
    }

    private func request(_ server: LoopbackServer, _ path: String = "/") -> TransportRequest {
        var request = server.request(path)
        request.scope = RequestScope(
            provider: ProviderID("tested")!,
            hosts: [HostPattern("http://127.0.0.1")!, HostPattern("http://localhost")!])
        request.credentials = Credentials(
            provider: ProviderID("tested")!,
            methods: [AuthenticationMethod(placement: .cookies(needs: ["sid"]))], secrets: [:],
            cookies: [
                Cookie(name: "sid", value: secret, domain: "127.0.0.1", isHostOnly: true)!,
                Cookie(name: "deep", value: "1", domain: "127.0.0.1", isHostOnly: true, path: "/deep")!,
            ])
        return request
    }

    @Test func matchingCookiesAreSentAndNewOnesKept() async throws {
        let server = try LoopbackServer { request in
            .answer(headers: request.path == "/" ? [("Set-Cookie", "fresh=\(request.path.count)0; Path=/")] : [])
        }
        let response = try await transport.send(request(server))
        #expect(response.headers[.setCookie] == nil)
        _ = try await transport.send(request(server, "/deep/er"))
        #expect(server.requests.map { $0.header("cookie") } == ["sid=\(secret)", "deep=1; sid=\(secret); fresh=10"])
        #expect(jars.changed.map(\.owner.description) == ["tested"])
        #expect(jars.changed.first?.cookies.map(\.name) == ["sid", "deep", "fresh"])
    }

    @Test func cookieThatIsSetAgainKeepsItsValue() async throws {
        let server = try LoopbackServer { [secret] _ in
            .answer(headers: [("Set-Cookie", "sid=\(secret); Path=/; Max-Age=60")])
        }
        for _ in 0..<2 { _ = try await transport.send(request(server)) }
        #expect(server.requests.map { $0.header("cookie") } == ["sid=\(secret)", "sid=\(secret)"])
        #expect(jars.changed.first?.cookies.first?.expires == 1_060)
    }

    @Test func redirectToAnotherHostGetsNone() async throws {
        let other = try LoopbackServer { _ in .answer(text: "there") }
        let server = try LoopbackServer { _ in .redirect(to: "http://localhost:\(other.port)/") }
        #expect(try await transport.send(request(server)).status == 200)
        #expect(server.requests.map { $0.header("cookie") } == ["sid=\(secret)"])
        #expect(other.requests.map { $0.header("cookie") } == [nil])
    }

    @Test func cookieOnARedirectIsSentWithTheNextRequest() async throws {
        let server = try LoopbackServer { request in
            request.path == "/"
                ? .answer(302, headers: [("Location", "/next"), ("Set-Cookie", "hop=1; Path=/")]) : .answer()
        }
        _ = try await transport.send(request(server))
        #expect(server.requests.last?.header("cookie") == "sid=\(secret); hop=1")
    }

    @Test func echoedCookieIsMaskedAlsoWhenTheServerHasJustSetIt() async throws {
        let server = try LoopbackServer { _ in
            .answer(headers: [("Set-Cookie", "csrf=0123456789abcdef0123; Path=/")], text: "csrf 0123456789abcdef0123.")
        }
        let response = try await transport.send(request(server))
        #expect(String(decoding: response.body, as: UTF8.self) == "csrf ***.")
    }

    @Test func nothingShowsACookie() {
        let server = try! LoopbackServer { _ in .answer() }
        var request = request(server)
        request.headers[.init("X-Echo")!] = secret
        #expect(request.description.contains("(Cookie: sid=***)"))
        #expect(!request.description.contains(secret))
        #expect(request.credentials?.redaction.redact("a \(secret) b") == "a *** b")
        // A short value that no login needs is a word of the language.
        #expect(request.credentials?.redaction.redact("1") == "1")
    }

    @Test func requesterIsAnotherWithAnotherLoginOnly() {
        func identity(_ sid: String, theme: String) -> [UInt8]? {
            Credentials(
                provider: ProviderID("tested")!,
                methods: [AuthenticationMethod(placement: .cookies(needs: ["sid"]))], secrets: [:],
                cookies: [
                    Cookie(name: "sid", value: sid, domain: "a.test", isHostOnly: true)!,
                    Cookie(name: "theme", value: theme, domain: "a.test", isHostOnly: true)!,
                ])?.identityMaterial
        }
        #expect(identity("a", theme: "x") == identity("a", theme: "y"))
        #expect(identity("a", theme: "x") != identity("b", theme: "x"))
    }

    @Test func methodWithoutItsCookiesIsNotUsed() {
        let methods = [
            AuthenticationMethod(placement: .cookies(needs: ["sid"])), AuthenticationMethod(placement: .query([])),
        ]
        let credentials = Credentials(
            provider: ProviderID("tested")!, methods: methods, secrets: ["cookies": "left out"])
        #expect(credentials?.method == methods[1])
    }
}
