import ProviderModel
import TestSupport
import Testing

@testable import HTTPTransport

/// What is wrong with a proxy must not look like something wrong with the source behind it.
@Suite struct ProxyFaultTests {
    @Test func proxyThatTakesNoConnection() async throws {
        let proxy = try RawServer([])
        proxy.close()
        let error = await error(through: "http://reader:geheim@\(proxy.authority)", for: "https://images.example/")
        FaultExpectation(
            .connection, retriable: true, found: "could not connect to the proxy http://\(proxy.authority)"
        )
        .check(error)
        #expect(error?.hint?.description.contains("check https_proxy, or add images.example to no_proxy") == true)
    }

    @Test(arguments: ["https://images.example", "http://images.example"])
    func proxyThatWantsAPassword(origin: String) async throws {
        let proxy = try RawServer.answering("HTTP/1.1 407 No\r\nContent-Length: 0\r\n\r\n")
        let error = await error(through: "http://\(proxy.authority)", for: "\(origin)/")
        FaultExpectation(
            .connection, found: "the proxy http://\(proxy.authority) answered 407 to a request for \(origin)"
        ).check(error)
    }

    @Test func proxyThatReachesNoServer() async throws {
        let proxy = try RawServer.answering("HTTP/1.1 502 No\r\nContent-Length: 0\r\n\r\n")
        let error = await error(through: "http://\(proxy.authority)", for: "https://images.example/")
        FaultExpectation(.connection, retriable: true, found: "the proxy http://\(proxy.authority) answered 502")
            .check(error)
    }

    @Test func proxyThatIsSomethingElse() async throws {
        let proxy = try RawServer([.readSome, .text("HTTP/1.1 400 What\r\n\r\n")])
        let error = await error(through: "socks5h://\(proxy.authority)", for: "https://images.example/")
        FaultExpectation(
            .connection, retriable: true, found: "the proxy socks5h://\(proxy.authority) did not connect"
        )
        .check(error)
    }

    @Test(arguments: ["https://images.example/", "http://images.example/"])
    func proxyIsReportedOnceWhoAsks(url: String) async throws {
        let proxy = try LoopbackServer { _ in .answer(502) }
        _ = await error(through: proxy.origin, for: url)
        let agents = proxy.requests.map { $0.headers.filter { $0.name.lowercased() == "user-agent" }.map(\.value) }
        #expect(agents.first == ["imgscript/1"])
    }

    /// libcurl quotes the address as it stands in the environment.
    @Test(arguments: ["foo://reader:geheim@127.0.0.1:1", "http://reader:geheim@bad host:1", "reader:geheim@h:99999"])
    func addressThatIsNoneIsReportedWithoutItsPassword(address: String) async throws {
        let error = await error(through: address, for: "http://images.example/")
        FaultExpectation(.connection, found: "could not use the proxy").check(error)
        #expect(error?.message.contains("geheim") == false, "\(error?.message ?? "")")
    }

    @Test func connectionThatBreaksOffNamesTheProxyBetween() async throws {
        let proxy = try RawServer([.read, .reset])
        let error = await error(through: "http://\(proxy.authority)", for: "http://images.example/")
        FaultExpectation(
            .connection, retriable: true,
            found:
                "http://images.example through the proxy http://\(proxy.authority) closed the connection before the end of the response"
        ).check(error)
    }

    @Test(
        .enabled(if: TestCertificate.canBeMade, "openssl is not installed"),
        arguments: ["https://images.example/", "http://images.example/"])
    func proxyWhoseCertificateIsNoGood(url: String) async throws {
        let (good, expired) = (try TestCertificate(), try TestCertificate(expired: true))
        let proxy = try SecureRawServer(certificate: good.path, key: good.key) { _ in }
        let name = "the certificate of the proxy https://127.0.0.1:\(proxy.port)"
        let untrusted = await error(through: "https://reader:geheim@127.0.0.1:\(proxy.port)", for: url)
        FaultExpectation(.tls, found: "\(name) is not issued by a trusted authority").check(untrusted)
        #expect(untrusted?.hint == .trustCertificate)
        let misnamed = await error(through: "https://localhost:\(proxy.port)", for: url, trusting: good.path)
        FaultExpectation(.tls, found: "localhost:\(proxy.port) is not for localhost").check(misnamed)
        #expect(misnamed?.hint?.description.contains("check the name in http") == true)
        let old = try SecureRawServer(certificate: expired.path, key: expired.key) { _ in }
        let late = await error(through: "https://127.0.0.1:\(old.port)", for: url, trusting: expired.path)
        FaultExpectation(.tls, found: "the proxy https://127.0.0.1:\(old.port) has expired").check(late)
    }

    @Test(arguments: ["https://images.example/", "http://images.example/"])
    func proxyWithoutTLS(url: String) async throws {
        let proxy = try RawServer([.text("HTTP/1.1 400 What\r\nContent-Length: 0\r\n\r\n"), .stall])
        let error = await error(through: "https://\(proxy.authority)", for: url)
        FaultExpectation(.tls, found: "no TLS connection to the proxy https://\(proxy.authority)")
            .check(error)
        #expect(error?.hint?.description.contains("most proxies are addressed with http://") == true)
    }

    private func error(through proxy: String, for url: String, trusting file: String? = nil) async -> TransportError? {
        let environment = ["https_proxy": proxy, "http_proxy": proxy]
        var settings = TransportSettings(version: "1", environment: environment)
        settings.trust.extraFile = file
        let transport = CurlTransport(settings: settings)
        return await TransportError.of {
            _ = try await transport.send(TransportRequest(url: try WebURL(url), scope: .everywhere))
        }
    }
}
