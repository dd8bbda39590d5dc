import HTTPTypes
import ProviderModel
import Synchronization
import TestSupport
import Testing

@testable import HTTPTransport

@Suite(
    "Requests share a connection as soon as it stands",
    .enabled(if: TestCertificate.canBeMade, "openssl is not installed"))
struct SharedConnectionTests {
    private let certificate: TestCertificate

    init() throws { certificate = try TestCertificate() }

    @Test func requestsGoOutBeforeTheFirstIsAnswered() async throws {
        let server = try SecureRawServer.http2(certificate: certificate) { http in
            var streams: [UInt8] = []
            // None is answered before all are there.
            while streams.count < 3, let stream = http.awaitRequest() { streams.append(stream) }
            for stream in streams { http.answer(stream, "whole", announcing: 5, isLast: true) }
        }
        let transport = CurlTransport(
            settings: try .loopback {
                $0.trust.extraFile = certificate.path
                $0.connectionsPerHost = 4
            })
        let request = TransportRequest(
            url: try WebURL("https://127.0.0.1:\(server.port)/"), scope: .everywhere)
        async let first = transport.send(request)
        async let second = transport.send(request)
        async let third = transport.send(request)
        #expect(try await [first.text, second.text, third.text] == ["whole", "whole", "whole"])
    }

    @Test func sinkGetsTheVersionWithTheHead() async throws {
        let shared = try SecureRawServer.http2(certificate: certificate) { http in
            guard let stream = http.awaitRequest() else { return }
            http.answer(stream, "whole", announcing: 5, isLast: true)
        }
        let plain = try LoopbackServer { _ in .answer(text: "whole") }
        let transport = CurlTransport(settings: try .loopback { $0.trust.extraFile = certificate.path })
        let addresses = ["https://127.0.0.1:\(shared.port)/": "2", plain.request().url.description: "1.1"]
        for (address, version) in addresses {
            let sink = VersionSink()
            var request = TransportRequest(url: try WebURL(address), scope: .everywhere)
            request.sink = sink
            #expect(try await transport.send(request).version == version)
            #expect(sink.versions == [version])
        }
    }
}

private final class VersionSink: BodySink {
    private let state = Mutex<[String]>([])

    var versions: [String] { state.withLock { $0 } }

    func begin(_ head: ResponseHead, resume: @escaping @Sendable () -> Void) {
        state.withLock { $0.append(head.version) }
    }

    func write(_ bytes: UnsafeRawBufferPointer) -> BodyDemand { .more }
}
