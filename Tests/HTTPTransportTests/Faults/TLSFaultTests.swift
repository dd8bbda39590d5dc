import Glibc
import HTTPTypes
import ProviderModel
import TestSupport
import Testing

@testable import HTTPTransport

@Suite(.enabled(if: HelperProcess.path(of: "openssl") != nil, "openssl is not installed"))
struct TLSFaultTests {
    private let folder = TemporaryFolder()
    private var key: String { folder.path + "/key.pem" }

    /// A certificate for 127.0.0.1 and this key; one that is expired was valid for a minute in 2020.
    private func certificate(expired: Bool = false) throws -> String {
        let path = folder.path + "/certificate.pem"
        let openssl = try #require(HelperProcess.path(of: "openssl"))
        let request = folder.path + "/request.pem"
        let name = ["-subj", "/CN=127.0.0.1", "-addext", "subjectAltName=IP:127.0.0.1"]
        let newKey = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-keyout", key]
        guard expired else {
            #expect(try HelperProcess.run(openssl, ["req", "-x509"] + newKey + name + ["-days", "2", "-out", path]))
            return path
        }
        #expect(try HelperProcess.run(openssl, ["req"] + newKey + name + ["-out", request]))
        let configuration = folder.path + "/ca.cnf"
        try Self.write(
            """
            [ca]
            default_ca = own
            [own]
            database = \(folder.path)/index.txt
            new_certs_dir = \(folder.path)
            rand_serial = yes
            default_md = sha256
            policy = any
            copy_extensions = copy
            [any]
            commonName = supplied
            """, to: configuration)
        try Self.write("", to: folder.path + "/index.txt")
        let made = try HelperProcess.run(
            openssl,
            [
                "ca", "-batch", "-selfsign", "-config", configuration, "-keyfile", key, "-in", request, "-out", path,
                "-startdate", "20200101000000Z", "-enddate", "20200101000100Z", "-notext",
            ])
        #expect(made)
        return path
    }

    private func error(
        of server: SecureRawServer, trusting certificate: String?, host: String = "127.0.0.1"
    ) async throws -> TransportError? {
        let request = TransportRequest(url: try WebURL("https://\(host):\(server.port)/"), scope: .everywhere)
        return try await CurlTransport.error(of: request) { $0.trust.extraFile = certificate }
    }

    @Test func selfSignedCertificate() async throws {
        let server = try SecureRawServer(certificate: certificate(), key: key) { _ in }
        let error = try await error(of: server, trusting: nil)
        FaultExpectation(.tls, found: "self-signed certificate").check(error)
        #expect(error?.message.contains("--ca-file") == true)
    }

    @Test func expiredCertificate() async throws {
        let certificate = try certificate(expired: true)
        let server = try SecureRawServer(certificate: certificate, key: key) { _ in }
        let error = try await error(of: server, trusting: certificate)
        FaultExpectation(.tls, found: "is out of date (SSL certificate problem: certificate has expired)").check(error)
        #expect(error?.message.contains("clock") == true)
    }

    @Test func certificateOfAnotherHost() async throws {
        let certificate = try certificate()
        let server = try SecureRawServer(certificate: certificate, key: key) { _ in }
        let error = try await error(of: server, trusting: certificate, host: "localhost")
        FaultExpectation(.tls, found: "is another server's").check(error)
        #expect(error?.message.contains("expected one for localhost") == true)
    }

    @Test func plainHTTPWhereTLSWasExpected() async throws {
        let server = try RawServer([.text("HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\n\r\n"), .stall])
        let request = TransportRequest(url: try WebURL("https://\(server.authority)/"), scope: .everywhere)
        let error = try await CurlTransport.error(of: request)
        FaultExpectation(.tls, found: "no secure connection to https://\(server.authority)").check(error)
    }

    @Test(arguments: [[RawServer.Step.readSome], [.readSome, .reset]])
    func handshakeBrokenOff(steps: [RawServer.Step]) async throws {
        let server = try RawServer(steps)
        let request = TransportRequest(url: try WebURL("https://\(server.authority)/"), scope: .everywhere)
        let error = try await CurlTransport.error(of: request)
        FaultExpectation(.connection, retriable: true, found: "no secure connection").check(error)
    }

    private static func write(_ text: String, to path: String) throws {
        let file = try #require(fopen(path, "w"))
        fputs(text, file)
        fclose(file)
    }
}
