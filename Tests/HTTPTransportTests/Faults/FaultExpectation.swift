import HTTPTypes
import ProviderModel
import TestSupport
import Testing

@testable import HTTPTransport

extension RawServer {
    func request(
        _ path: String = "/", method: HTTPRequest.Method = .get, sink: (any BodySink)? = nil
    ) throws -> TransportRequest {
        TransportRequest(
            method: method, url: try WebURL("http://\(authority)\(path)"), scope: .everywhere, sink: sink)
    }

    /// A server that reads each request and answers with exactly this, then closes.
    static func answering(_ text: String) throws -> RawServer { try RawServer([.read, .text(text)]) }
}

/// What a fault has to end with.
struct FaultExpectation: Sendable {
    var code: TransportError.Code
    var isRetriable: Bool
    /// What the message says was found.
    var found: String

    init(_ code: TransportError.Code, retriable: Bool = false, found: String) {
        self.code = code
        isRetriable = retriable
        self.found = found
    }

    /// Checks the error that a request ends with.
    func check(_ error: TransportError?, at location: Testing.SourceLocation = #_sourceLocation) {
        guard let error else {
            Issue.record("there was an answer", sourceLocation: location)
            return
        }
        #expect(error.code == code, "\(error.message)", sourceLocation: location)
        #expect(error.isRetriable == isRetriable, "\(error.message)", sourceLocation: location)
        #expect(error.message.contains(found), "\(error.message)", sourceLocation: location)
        Self.checkSentence(error.message, at: location)
    }

    /// One line that names no option of the program.
    static func checkSentence(_ message: String, at location: Testing.SourceLocation) {
        #expect(!message.contains(" --"), "\(message)", sourceLocation: location)
        #expect(!message.contains { $0.isNewline || $0 == "\0" }, "\(message)", sourceLocation: location)
    }
}

extension CurlTransport {
    /// The error that a request ends with, sent once.
    static func error(
        of request: TransportRequest, _ change: (inout TransportSettings) -> Void = { _ in }
    ) async throws -> TransportError? {
        let transport = CurlTransport(settings: try .loopback(change))
        return await TransportError.of { _ = try await transport.send(request) }
    }
}
