import Foundation
import HTTPTypes
import ProviderModel
import TestSupport
import Testing

@testable import HTTPTransport

@Suite("A redirect leads within the provider's hosts, or nowhere")
struct RedirectFaultTests {
    private static let next = "HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nnext"

    private static func redirect(_ lines: String) -> String {
        "HTTP/1.1 302 Found\r\n\(lines)\r\nContent-Length: 0\r\n\r\n"
    }

    private func server(_ lines: String) throws -> RawServer {
        try RawServer([.read, .text(Self.redirect(lines)), .read, .text(Self.next), .stall])
    }

    private func error(after lines: String) async throws -> (TransportError?, RawServer) {
        let server = try server(lines)
        let transport = RedirectingTransport(over: CurlTransport(settings: try .loopback()))
        var request = try server.request("/a/b?c")
        request.scope = .of("http://127.0.0.1", "images.example")
        return (await TransportError.of { [request] in _ = try await transport.send(request) }, server)
    }

    @Test(arguments: [
        ("https://elsewhere.example/", "https://elsewhere.example is not a host of"),
        ("http://images.example/", "plain http"),
        ("http://10.1.2.3/", "http://10.1.2.3 is not a host of"),
        ("http://169.254.169.254/latest/meta-data", "is not a host of"),
        ("//elsewhere.example/", "is not a host of"),
    ])
    func leadingOutsideTheHosts(location: String, found: String) async throws {
        let (error, server) = try await error(after: "Location: \(location)")
        #expect(error?.code == .refusedHost)
        #expect(error?.message.contains("http://\(server.authority) redirects to another host: ") == true)
        #expect(error?.message.contains(found) == true, "\(error?.message ?? "")")
        #expect(error?.hint?.description.isEmpty == false)
        #expect(server.received.count == 1)
    }

    @Test(arguments: [
        ("file:///etc/passwd", "\"file:///etc/passwd\""), ("ftp://127.0.0.1/", "\"ftp://127.0.0.1/\""),
        ("javascript:alert(1)", "\"javascript:alert(1)\""), ("http://", "host is not valid"),
        ("http://user:password@127.0.0.1/", "carries a user name"), ("http://127.0.0.1:99999/", "port"),
        ("https://127.0.0.1/" + String(repeating: "x", count: 9_000), "more than 8192"),
    ])
    func leadingNowhere(location: String, found: String) async throws {
        let (error, server) = try await error(after: "Location: \(location)")
        FaultExpectation(.refusedHost, found: found).check(error)
        #expect(server.received.count == 1)
    }

    @Test func leadingToTwoPlacesAtOnce() async throws {
        let (error, server) = try await error(after: "Location: /one\r\nLocation: /two")
        FaultExpectation(.invalidAnswer, found: "redirects to \"/one\" and to \"/two\"").check(error)
        #expect(server.received.count == 1)
    }

    @Test func leadingToOnePlaceTwice() async throws {
        let server = try server("Location: /one\r\nLocation: /one")
        let transport = RedirectingTransport(over: CurlTransport(settings: try .loopback()))
        #expect(try await transport.send(server.request()).url.path == "/one")
    }

    @Test(arguments: [
        ("../up", "/up"), ("?page=2", "/a/b?page=2"), ("/x y", "/x%20y"), ("d", "/a/d"), ("./d/../../e", "/e"),
        ("/%0d%0aX-Evil:%20yes", "/%0d%0aX-Evil:%20yes"), ("/frag#ment", "/frag"), ("/p\u{e4}th", "/p%C3%A4th"),
        // No field may have a control character; the fields read it as a space.
        ("/a\u{1}b", "/a%20b"),
    ])
    func relativePlaceIsResolvedAndNeverASecondLine(location: String, target: String) async throws {
        let server = try server("Location: \(location)")
        let transport = RedirectingTransport(over: CurlTransport(settings: try .loopback()))
        #expect(try await transport.send(server.request("/a/b?c")).text == "next")
        let lines = server.received[0].split(separator: "\r\n").map(String.init)
        #expect(lines.contains("GET \(target) HTTP/1.1"), "\(lines)")
        #expect(!lines.contains { $0.hasPrefix("X-Evil") })
    }

    @Test func lineBreakInAPlaceEndsIt() async throws {
        let (error, server) = try await error(after: "Location: https://elsewhere.example/\rX-Evil: yes")
        #expect([.refusedHost, .invalidAnswer].contains(error?.code), "\(error?.message ?? "no error")")
        #expect(error?.message.contains("X-Evil") == false)
        #expect(server.received.count == 1)
    }

    @Test(arguments: ["X-Nothing: here", "Location:"])
    func noPlaceAtAllIsTheAnswer(lines: String) async throws {
        let server = try server(lines)
        let transport = RedirectingTransport(over: CurlTransport(settings: try .loopback()))
        #expect(try await transport.send(server.request()).status == 302)
    }

    @Test func circleEndsWithTheLastPlace() async throws {
        let server = try LoopbackServer { .redirect(to: $0.path == "/a" ? "/b" : "/a") }
        let transport = RedirectingTransport(over: CurlTransport(settings: try .loopback()))
        let error = await TransportError.of { _ = try await transport.send(server.request("/a")) }
        FaultExpectation(.tooManyRedirects, found: "redirected more than 10 times").check(error)
        #expect(server.requests.count == 11)
    }

    @Test func cookiesOfOtherHostsAreNeitherKeptNorSentBack() async throws {
        let cookies = (0..<50).map { "Set-Cookie: c\($0)=\(String(repeating: "v", count: 100)); Domain=.example" }
        let server = try server("Location: /next\r\nSet-Cookie: a=b; Path=/\r\n" + cookies.joined(separator: "\r\n"))
        let transport = RedirectingTransport(over: CurlTransport(settings: try .loopback()))
        _ = try await transport.send(server.request())
        let received = server.received.joined().lowercased()
        #expect(!received.contains("c0=") && received.components(separatedBy: "cookie: a=b\r\n").count == 2)
    }
}
