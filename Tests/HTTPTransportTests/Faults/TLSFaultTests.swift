import HTTPTypes
import ProviderModel
import TestSupport
import Testing

@testable import HTTPTransport

@Suite(.enabled(if: TestCertificate.canBeMade, "openssl is not installed"))
struct TLSFaultTests {
    private func error(
        of server: SecureRawServer, trusting certificate: String?, host: String = "127.0.0.1"
    ) async throws -> TransportError? {
        let request = TransportRequest(url: try WebURL("https://\(host):\(server.port)/"), scope: .everywhere)
        return try await CurlTransport.error(of: request) { $0.trust.extraFile = certificate }
    }

    @Test func selfSignedCertificate() async throws {
        let certificate = try TestCertificate()
        let server = try SecureRawServer(certificate: certificate.path, key: certificate.key) { _ in }
        let error = try await error(of: server, trusting: nil)
        FaultExpectation(.tls, found: "self-signed certificate").check(error)
        #expect(error?.hint == .trustCertificate)
    }

    @Test func expiredCertificate() async throws {
        let certificate = try TestCertificate(expired: true)
        let server = try SecureRawServer(certificate: certificate.path, key: certificate.key) { _ in }
        let error = try await error(of: server, trusting: certificate.path)
        FaultExpectation(
            .tls, found: "has expired or is not yet valid (SSL certificate problem: certificate has expired)"
        ).check(error)
        #expect(error?.hint?.description.contains("clock") == true)
    }

    @Test func certificateOfAnotherHost() async throws {
        let certificate = try TestCertificate()
        let server = try SecureRawServer(certificate: certificate.path, key: certificate.key) { _ in }
        let error = try await error(of: server, trusting: certificate.path, host: "localhost")
        FaultExpectation(.tls, found: "is not for localhost").check(error)
    }

    @Test func plainHTTPWhereTLSWasExpected() async throws {
        let server = try RawServer([.text("HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\n\r\n"), .stall])
        let request = TransportRequest(url: try WebURL("https://\(server.authority)/"), scope: .everywhere)
        let error = try await CurlTransport.error(of: request)
        FaultExpectation(.tls, found: "no TLS connection to https://\(server.authority)").check(error)
    }

    @Test(arguments: [[RawServer.Step.readSome], [.readSome, .reset]])
    func handshakeBrokenOff(steps: [RawServer.Step]) async throws {
        let server = try RawServer(steps)
        let request = TransportRequest(url: try WebURL("https://\(server.authority)/"), scope: .everywhere)
        let error = try await CurlTransport.error(of: request)
        FaultExpectation(.connection, retriable: true, found: "no TLS connection").check(error)
    }
}
