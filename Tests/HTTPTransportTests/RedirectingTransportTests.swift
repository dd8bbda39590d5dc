import HTTPTypes
import ProviderModel
import TestSupport
import Testing

@testable import HTTPTransport

@Suite struct RedirectingTransportTests {
    private func transport() throws -> RedirectingTransport {
        RedirectingTransport(over: CurlTransport(settings: try .loopback()))
    }

    private static let credentials = Credentials(
        provider: ProviderID("tested")!,
        methods: [AuthenticationMethod(placement: .query([NamedValue("key", "{key}")]))],
        secrets: ["key": "s3cret-key"]
    )

    @Test(arguments: [
        (301, HTTPRequest.Method.get, "GET"), (301, .post, "GET"), (301, .put, "PUT"), (302, .post, "GET"),
        (302, .delete, "DELETE"),
        (303, .post, "GET"), (303, .put, "GET"), (303, .head, "HEAD"), (307, .post, "POST"), (308, .post, "POST"),
        (308, .get, "GET"),
    ])
    func methodAndBodyFollowTheStatus(status: Int, method: HTTPRequest.Method, expected: String) async throws {
        let server = try LoopbackServer {
            $0.path == "/old" ? .redirect(status, to: "new?x=1") : .answer(text: "there")
        }
        let body = method == .get || method == .head ? "" : "body"
        let response = try await transport().send(server.request("/old", method: method, body: body))
        #expect(response.url.description == "\(server.origin)/new?x=1")
        #expect(server.requests[1].method == expected)
        #expect(server.requests[1].text == (expected == method.rawValue ? body : ""))
    }

    @Test(arguments: [300, 304, 305, 306, 399])
    func otherStatusesAreAnswers(status: Int) async throws {
        let server = try LoopbackServer { _ in .redirect(status, to: "/new") }
        #expect(try await transport().send(server.request()).status == status)
    }

    @Test func redirectWithoutLocationIsAnAnswer() async throws {
        let server = try LoopbackServer { _ in .answer(302, text: "where?") }
        #expect(try await transport().send(server.request()).text == "where?")
    }

    @Test func loopEndsAfterTen() async throws {
        let server = try LoopbackServer { _ in .redirect(to: "/again") }
        let error = await TransportError.of { _ = try await transport().send(server.request()) }
        #expect(error?.code == .tooManyRedirects)
        #expect(server.requests.count == 11)
    }

    @Test(arguments: [
        "https://elsewhere.example/", "//elsewhere.example/", "ftp://127.0.0.1/", "file:///etc/passwd",
        "javascript:alert(1)",
        "https://user@127.0.0.1/", "http://127.0.0.1.evil.example/", "http://[::1]/",
    ])
    func otherPlacesAreRefused(location: String) async throws {
        let server = try LoopbackServer { _ in .redirect(to: location) }
        var request = server.request()
        request.scope = .of("http://127.0.0.1")
        let error = await TransportError.of { [request] in _ = try await transport().send(request) }
        #expect(error?.code == .refusedHost, "\(error?.message ?? "no error")")
        #expect(server.requests.count == 1)
    }

    @Test func privateAddressIsRefusedOnEveryHop() async throws {
        let server = try LoopbackServer { _ in .redirect(to: "http://10.1.2.3/admin") }
        let error = await TransportError.of { _ = try await transport().send(server.request()) }
        #expect(error?.code == .privateAddress)
        #expect(error?.hint == .allowHost("10.1.2.3:80"))
    }

    @Test func plainHTTPIsRefusedUnlessDeclared() async throws {
        let request = TransportRequest(url: try WebURL("http://images.example/"), scope: .of("images.example"))
        let error = await TransportError.of { _ = try await transport().send(request) }
        #expect(error?.code == .refusedHost)
        #expect(error?.message.contains("plain http") == true)
    }

    @Test func refusalNamesTheHostsDeclared() async throws {
        let request = TransportRequest(
            url: try WebURL("https://evil.example/"),
            scope: .of("pixabay.com", "*.pixabay.com")
        )
        let error = await TransportError.of { _ = try await transport().send(request) }
        #expect(error?.message.contains("pixabay.com, *.pixabay.com") == true)
    }

    @Test func credentialsStayWithinTheOrigin() async throws {
        let home = try LoopbackServer { $0.path == "/a" ? .redirect(to: "/b?key=s3cret-key&page=2") : .answer() }
        var request = home.request("/a")
        request.credentials = Self.credentials
        let response = try await transport().send(request)
        #expect(home.requests.map(\.target) == ["/a?key=s3cret-key", "/b?page=2&key=s3cret-key"])
        #expect(response.url.description == "\(home.origin)/b?page=2")
    }

    @Test func headersOfAFileStayWithItsServer() async throws {
        let other = try LoopbackServer { _ in .answer() }
        let otherOrigin = "http://localhost:\(other.port)"
        let home = try LoopbackServer { $0.path == "/a" ? .redirect(to: "/b") : .redirect(to: otherOrigin + "/c") }
        var request = home.request("/a")
        request.headers[.acceptLanguage] = "de"
        try request.addFileHeaders([NamedValue("Referer", "https://a.example/"), NamedValue("X-Token", "t0ken")])
        _ = try await transport().send(request)
        #expect(home.requests.map { $0.header("referer") } == ["https://a.example/", "https://a.example/"])
        #expect(home.requests.map { $0.header("x-token") } == ["t0ken", "t0ken"])
        #expect(other.requests.map { $0.header("referer") } == [nil])
        #expect(other.requests.map { $0.header("x-token") } == [nil])
        #expect(other.requests.map { $0.header("accept-language") } == ["de"])
    }

    @Test(arguments: [
        ("https://a.example/", "http://a.example/", false), ("http://a.example/", "https://a.example/", true),
        ("https://a.example/", "https://b.a.example/", false), ("https://a.example/", "https://a.example:8443/", false),
        ("https://a.example/", "/elsewhere", true),
    ])
    func headersOfAFileGoNowhereElse(from: String, to: String, isSent: Bool) throws {
        var request = TransportRequest(url: try WebURL(from))
        try request.addFileHeaders([NamedValue("X-Token", "t0ken")])
        let answer = TransportResponse(status: 302, url: request.url, headers: [.location: to], body: [])
        let next = try #require(try Redirect(from: request, answer: answer, first: request)?.request)
        #expect(next.headers.contains { $0.name.canonicalName == "x-token" } == isSent)
    }

    @Test func credentialsDroppedAtAnotherOriginStayDropped() async throws {
        let home = try LoopbackServer { $0.path == "/back" ? .answer() : .redirect(to: "http://localhost:1/") }
        let homeOrigin = home.origin
        let other = try LoopbackServer { _ in .redirect(to: "\(homeOrigin)/back") }
        let otherOrigin = "http://localhost:\(other.port)"
        let start = try LoopbackServer { _ in .redirect(to: otherOrigin + "/x") }
        var request = start.request("/start")
        request.credentials = Self.credentials
        request.headers[.authorization] = "Bearer of-a-script"
        _ = try await transport().send(request)
        #expect(start.requests[0].target == "/start?key=s3cret-key")
        #expect(other.requests[0].target == "/x")
        #expect(other.requests[0].header("authorization") == nil)
        #expect(home.requests[0].target == "/back")
        #expect(home.requests[0].header("authorization") == nil)
    }
}
