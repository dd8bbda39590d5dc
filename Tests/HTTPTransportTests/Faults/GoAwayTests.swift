import HTTPTypes
import ProviderModel
import TestSupport
import Testing

@testable import HTTPTransport

@Suite(
    "A server that goes away (HTTP/2 GOAWAY) loses no answer",
    .enabled(if: TestCertificate.canBeMade, "openssl is not installed"))
struct GoAwayTests {
    private let certificate: TestCertificate

    init() throws { certificate = try TestCertificate() }

    private func transport() throws -> CurlTransport {
        CurlTransport(settings: try .loopback { $0.trust.extraFile = certificate.path })
    }

    private func request(_ server: SecureRawServer) throws -> TransportRequest {
        TransportRequest(url: try WebURL("https://127.0.0.1:\(server.port)/"), scope: .everywhere)
    }

    @Test func beforeTheAnswerTheRequestIsSentAgain() async throws {
        let server = try SecureRawServer.http2(certificate: certificate) { http in
            guard http.awaitRequest() != nil else { return }
            http.goAway(lastStream: 0)
            guard let stream = http.awaitRequest() else { return }
            http.answer(stream, "whole", announcing: 5, isLast: true)
        }
        let transport = RetryingTransport(over: try transport(), clock: SkippingClock(), now: { 0 })
        let response = try await transport.send(request(server))
        #expect(response.text == "whole")
        #expect(response.version == "2")
    }

    @Test func inTheMiddleOfAnAnswerThatIsCompletedNothingIsLost() async throws {
        let server = try SecureRawServer.http2(certificate: certificate) { http in
            guard let stream = http.awaitRequest() else { return }
            http.answer(stream, "half ", announcing: 9)
            http.goAway(lastStream: stream)
            http.data(stream, "rest", isLast: true)
            guard let next = http.awaitRequest() else { return }
            http.answer(next, "next", announcing: 4, isLast: true)
        }
        let transport = try transport()
        #expect(try await transport.send(request(server)).text == "half rest")
        #expect(try await transport.send(request(server)).text == "next")
    }

    @Test func inTheMiddleOfAnAnswerThatIsCutItIsAnError() async throws {
        let arrived = Gate()
        let server = try SecureRawServer.http2(certificate: certificate) { http in
            guard let stream = http.awaitRequest() else { return }
            http.answer(stream, "half ", announcing: 9)
            http.goAway(lastStream: stream, code: 2)
            // The end must not overtake what was sent before it.
            arrived.wait()
            http.connection.crash()
        }
        let transport = try transport()
        var request = try request(server)
        request.sink = OpeningSink(arrived)
        let error = await TransportError.of { [request] in _ = try await transport.send(request) }
        FaultExpectation(.connection, retriable: true, found: "closed the connection before the end of the response")
            .check(error)
    }

    @Test(arguments: [UInt8(1), 2, 8])
    func streamResetIsAnErrorToo(code: UInt8) async throws {
        let server = try SecureRawServer.http2(certificate: certificate) { http in
            guard let stream = http.awaitRequest() else { return }
            http.answer(stream, "half ", announcing: 9)
            http.reset(stream, code: code)
        }
        let transport = try transport()
        let error = await TransportError.of { _ = try await transport.send(request(server)) }
        FaultExpectation(.connection, retriable: true, found: "closed the connection before the end of the response")
            .check(error)
    }

    @Test func lengthThatTheStreamContradictsIsAnError() async throws {
        let server = try SecureRawServer.http2(certificate: certificate) { http in
            guard let stream = http.awaitRequest() else { return }
            http.answer(stream, "half", announcing: 9, isLast: true)
        }
        let transport = try transport()
        let error = await TransportError.of { _ = try await transport.send(request(server)) }
        FaultExpectation(.connection, retriable: true, found: "closed the connection before the end of the response")
            .check(error)
    }
}
