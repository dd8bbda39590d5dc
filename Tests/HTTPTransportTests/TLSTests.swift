import HTTPTypes
import ProviderModel
import TestSupport
import Testing

@testable import HTTPTransport

@Suite(.enabled(if: HelperProcess.path(of: "openssl") != nil, "openssl is not installed"))
struct TLSTests {
    private let folder = TemporaryFolder()
    private let openssl: String
    private var certificate: String { folder.path + "/certificate.pem" }
    private var key: String { folder.path + "/key.pem" }

    init() throws {
        openssl = try #require(HelperProcess.path(of: "openssl"))
        let made = try HelperProcess.run(
            openssl,
            [
                "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-keyout", key,
                "-out", certificate, "-days", "2", "-subj", "/CN=localhost", "-addext", "subjectAltName=IP:127.0.0.1",
            ]
        )
        #expect(made)
    }

    private func server() throws -> HelperProcess {
        try HelperProcess(
            openssl,
            ["s_server", "-accept", "127.0.0.1:0", "-key", key, "-cert", certificate, "-www"],
            until: "ACCEPT"
        )
    }

    private func transport(_ environment: [String: String] = [:], extra: String? = nil) throws -> CurlTransport {
        var settings = TransportSettings(version: "1", environment: environment)
        settings.allowedHosts = try AllowedHosts(["127.0.0.1", "localhost"])
        settings.trust.extraFile = extra
        return CurlTransport(settings: settings)
    }

    private func request(_ port: UInt16, host: String = "127.0.0.1", path: String = "/") throws -> TransportRequest {
        TransportRequest(url: try WebURL("https://\(host):\(port)\(path)"), scope: .everywhere)
    }

    @Test func unknownCertificateIsRefused() async throws {
        let server = try server()
        let request = try request(server.listeningPort())
        let error = await TransportError.of { _ = try await transport().send(request) }
        #expect(error?.code == .tls, "\(error?.message ?? "no error")")
        #expect(error?.hint == .trustCertificate)
    }

    @Test func extraCertificateIsTrusted() async throws {
        let server = try server()
        let response = try await transport(extra: certificate).send(request(server.listeningPort()))
        #expect(response.status == 200)
    }

    @Test func extraCertificateIsAddedToABundle() async throws {
        let bundle = try #require(TrustStore.systemFiles.first { HelperProcess.isReadable($0) })
        let server = try server()
        let transport = try transport(["CURL_CA_BUNDLE": bundle], extra: certificate)
        #expect(try await transport.send(request(server.listeningPort())).status == 200)
        let trust = TrustStore(environment: ["CURL_CA_BUNDLE": bundle], extraFile: certificate)
        #expect(try #require(try trust.bundle().get()).bytes.count > 10_000)
    }

    @Test func unknownCertificateIsRefusedBesideABundleAndAFile() async throws {
        let server = try server()
        let request = try request(server.listeningPort())
        let bundle = try #require(TrustStore.systemFiles.first { HelperProcess.isReadable($0) })
        let transport = try transport(["SSL_CERT_FILE": bundle], extra: bundle)
        let error = await TransportError.of { _ = try await transport.send(request) }
        #expect(error?.code == .tls, "\(error?.message ?? "no error")")
        #expect(error?.message.contains("is not issued by a trusted authority") == true)
    }

    @Test func certificateOfAnotherHostIsRefused() async throws {
        let server = try server()
        let request = try request(server.listeningPort(), host: "localhost")
        let error = await TransportError.of { _ = try await transport(extra: certificate).send(request) }
        #expect(error?.code == .tls)
    }

    @Test func unreadableExtraFileIsAnErrorAndNotIgnored() async throws {
        let server = try server()
        let bundle = try #require(TrustStore.systemFiles.first { HelperProcess.isReadable($0) })
        for environment in [[:], ["CURL_CA_BUNDLE": bundle]] {
            let request = try request(server.listeningPort())
            let transport = try transport(environment, extra: folder.path + "/missing.pem")
            let error = await TransportError.of { _ = try await transport.send(request) }
            #expect(error?.code == .tls)
            #expect(error?.message.contains("missing.pem") == true, "\(error?.message ?? "no error")")
        }
    }

    @Test(.enabled(if: HelperProcess.path(of: "nghttpd") != nil, "nghttpd is not installed"))
    func requestsUseHTTP2Concurrently() async throws {
        let program = try #require(HelperProcess.path(of: "nghttpd"))
        let server = try HelperProcess(
            program,
            ["-v", "-a", "127.0.0.1", "-d", folder.path, "0", key, certificate],
            until: "listen"
        )
        let transport = try transport(extra: certificate)
        let request = try request(server.listeningPort(), path: "/certificate.pem")
        let versions = try await withThrowingTaskGroup(of: String.self) { group in
            for _ in 0..<20 { group.addTask { try await transport.send(request).version } }
            return try await group.reduce(into: Set()) { $0.insert($1) }
        }
        #expect(versions == ["2"])
    }
}
