import ProviderModel
import TestSupport
import Testing

@testable import HTTPTransport

@Suite struct PrivateAddressTests {
    static let spellings = [
        "127.0.0.1", "2130706433", "0177.0.0.1", "0x7f.1", "0x7f000001", "127.1", "[::1]", "[::ffff:127.0.0.1]",
        "[::ffff:7f00:1]", "[64:ff9b::7f00:1]", "[2002:7f00:1::]", "[::]", "0.0.0.0", "localhost", "a.localhost",
        "１２７．０．０．１", "127。0。0。1", "%31%32%37.0.0.1", "127.0.0.1.", "LOCALHOST", "ｌｏｃａｌｈｏｓｔ",
    ]

    @Test(arguments: spellings)
    func requestIsRefused(host: String) async throws {
        let server = try LoopbackServer { _ in .answer() }
        let transport = CurlTransport(settings: TransportSettings(version: "1"))
        let url = try WebURL("http://\(host):\(server.port)/")
        let request = TransportRequest(url: url, scope: .everywhere)
        let error = await TransportError.of { _ = try await transport.send(request) }
        #expect(error?.code == .privateAddress, "\(error?.message ?? "no error")")
        #expect(error?.message.contains("addresses are blocked") == true)
        #expect(error?.hint == .allowHost("\(url.host):\(server.port)"))
        #expect(server.connectionCount == 0)
    }

    @Test(arguments: spellings)
    func requestThroughAProxyIsRefusedToo(host: String) async throws {
        let proxy = try LoopbackServer { _ in .answer() }
        let transport = CurlTransport(
            settings: TransportSettings(version: "1", environment: ["http_proxy": proxy.origin])
        )
        let request = TransportRequest(url: try WebURL("http://\(host):8080/"), scope: .everywhere)
        let error = await TransportError.of { _ = try await transport.send(request) }
        #expect(error?.code == .privateAddress, "\(error?.message ?? "no error")")
        #expect(proxy.requests.isEmpty)
    }

    @Test func proxyOnAPrivateAddressIsUsed() async throws {
        let proxy = try LoopbackServer { .answer(text: $0.target) }
        let transport = CurlTransport(
            settings: TransportSettings(version: "1", environment: ["http_proxy": proxy.origin])
        )
        let request = TransportRequest(url: try WebURL("http://images.example/a"), scope: .everywhere)
        #expect(try await transport.send(request).text == "http://images.example/a")
    }

    @Test func allowedHostIsReachedOnItsPortOnly() async throws {
        let server = try LoopbackServer { _ in .answer() }
        var settings = TransportSettings(version: "1")
        settings.allowedHosts = try AllowedHosts(["127.0.0.1:\(server.port)"])
        let transport = CurlTransport(settings: settings)
        #expect(try await transport.send(server.request()).status == 200)
        let other = try LoopbackServer { _ in .answer() }
        let error = await TransportError.of { _ = try await transport.send(other.request()) }
        #expect(error?.code == .privateAddress)
    }

    /// The connection to 127.0.0.1 is open, but only under that name may it be used.
    @Test func openConnectionIsNoWayAroundTheRefusal() async throws {
        let server = try LoopbackServer { _ in .answer() }
        var settings = TransportSettings(version: "1")
        settings.allowedHosts = try AllowedHosts(["127.0.0.1:\(server.port)"])
        let transport = CurlTransport(settings: settings)
        _ = try await transport.send(server.request())
        for host in ["localhost", "[64:ff9b::7f00:1]"] {
            let request = TransportRequest(url: try WebURL("http://\(host):\(server.port)/"), scope: .everywhere)
            let error = await TransportError.of { _ = try await transport.send(request) }
            #expect(error?.code == .privateAddress)
        }
        #expect(server.requests.count == 1)
    }

    @Test(arguments: [
        ("127.0.0.1", "127.0.0.1"), ("127.1", "0x7f.0.0.1"), ("[::1]", "[0:0::0:1]"),
        ("127.0.0.1", "[::ffff:127.0.0.1]"),
        ("localhost", "LOCALHOST."), ("bücher.example", "xn--bcher-kva.example"),
    ])
    func allowedHostIsComparedByWhatItMeans(_ allowed: String, _ host: String) throws {
        for (allowed, host) in [(allowed, host), (host, allowed)] {
            let url = try WebURL("http://\(host):8080/")
            #expect(try AllowedHosts([allowed]).admits(url) && AllowedHosts(["\(allowed):8080"]).admits(url))
            #expect(try !AllowedHosts(["\(allowed):8081"]).admits(url))
        }
        #expect(try !AllowedHosts([allowed]).admits(WebURL("http://127.0.0.2/")))
    }

    @Test(arguments: ["", "http://x", "a/b", "a b", "host:99999", "::1"])
    func unreadableTextIsNoAllowedHost(text: String) {
        #expect(throws: TransportError.self) { try AllowedHosts([text]) }
    }
}
