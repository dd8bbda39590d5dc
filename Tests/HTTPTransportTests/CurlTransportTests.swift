import HTTPTypes
import ProviderModel
import Synchronization
import TestSupport
import Testing

@testable import HTTPTransport

@Suite struct CurlTransportTests {
    @Test func answerComesWithStatusHeadersAndBody() async throws {
        let server = try LoopbackServer { _ in .answer(404, headers: [("X-Seen", "yes")], text: "nothing here") }
        let response = try await CurlTransport(settings: .loopback()).send(server.request("/a?b=c"))
        #expect(response.status == 404)
        #expect(response.headers[HTTPField.Name("x-seen")!] == "yes")
        #expect(response.text == "nothing here")
        #expect(response.version == "1.1")
        #expect(server.requests.map(\.target) == ["/a?b=c"])
        #expect(server.requests[0].header("user-agent") == "imgscript/1.2.3")
        #expect(server.requests[0].header("accept-encoding")?.contains("gzip") == true)
    }

    @Test(arguments: [HTTPRequest.Method.get, .post, .put, .delete, .head])
    func methodAndBodyArrive(method: HTTPRequest.Method) async throws {
        let server = try LoopbackServer { _ in .answer(text: "fine") }
        let body = method == .get || method == .head ? "" : "a=1"
        let request = server.request(method: method, body: body)
        let response = try await CurlTransport(settings: .loopback()).send(request)
        #expect(response.text == (method == .head ? "" : "fine"))
        #expect(server.requests[0].method == method.rawValue)
        #expect(server.requests[0].text == body)
        #expect(server.requests[0].header("expect") == nil)
        #expect(server.requests[0].header("content-type") == nil)
    }

    @Test func postWithoutBodySaysSo() async throws {
        let server = try LoopbackServer { _ in .answer() }
        _ = try await CurlTransport(settings: .loopback()).send(server.request(method: .post))
        #expect(server.requests[0].header("content-length") == "0")
    }

    @Test func connectionServesManyRequests() async throws {
        let server = try LoopbackServer { .answer(text: $0.target) }
        let transport = CurlTransport(settings: try .loopback())
        for number in 0..<5 {
            #expect(try await transport.send(server.request("/\(number)")).text == "/\(number)")
        }
        #expect(server.connectionCount == 1)
    }

    @Test func manyRequestsRunSideBySide() async throws {
        let server = try LoopbackServer { .answer(text: $0.target) }
        let transport = CurlTransport(settings: try .loopback())
        let texts = try await withThrowingTaskGroup(of: String.self) { group in
            for number in 0..<60 { group.addTask { try await transport.send(server.request("/\(number)")).text } }
            return try await group.reduce(into: Set<String>()) { $0.insert($1) }
        }
        #expect(texts.count == 60)
        #expect(server.connectionCount <= 8)
    }

    @Test func interimAnswersAndFoldedLinesAreUnderstood() async throws {
        let server = try LoopbackServer { _ in
            .raw(
                "HTTP/1.1 103 Early\r\nX-A: no\r\n\r\nHTTP/1.1 200 OK\r\nX-A: one\r\n two\r\nConnection: close\r\n\r\nbody"
            )
        }
        let response = try await CurlTransport(settings: .loopback()).send(server.request())
        #expect(response.status == 200)
        #expect(response.headers[HTTPField.Name("x-a")!] == "one two")
        #expect(response.text == "body")
    }

    @Test(arguments: [
        ("", TransportError.Code.connection),
        ("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhalf", .connection),
        ("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhel", .connection),
        ("hello, this is not HTTP\r\n\r\n", .invalidAnswer),
        ("HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 5\r\n\r\nplain", .invalidAnswer),
    ])
    func brokenAnswerIsAnError(bytes: String, code: TransportError.Code) async throws {
        let server = try LoopbackServer { _ in .raw(bytes) }
        let transport = CurlTransport(settings: try .loopback())
        let error = await TransportError.of { _ = try await transport.send(server.request()) }
        #expect(error?.code == code, "\(error?.message ?? "no error")")
    }

    @Test func closedPortIsARetriableError() async throws {
        let server = try LoopbackServer { _ in .answer() }
        server.close()
        let transport = CurlTransport(settings: try .loopback())
        let error = await TransportError.of { _ = try await transport.send(server.request()) }
        #expect(error?.code == .connection)
        #expect(error?.isRetriable == true)
    }

    @Test func overallDeadlineEndsAnAnswerThatNeverComes() async throws {
        let server = try LoopbackServer { _ in .stalling() }
        let transport = CurlTransport(settings: try .loopback())
        var request = server.request()
        request.deadline = .milliseconds(30)
        let error = await TransportError.of { [request] in _ = try await transport.send(request) }
        #expect(error?.code == .timeout)
    }

    @Test func stallDeadlineEndsAnAnswerThatStops() async throws {
        let server = try LoopbackServer { _ in .stalling(after: "HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nbegin") }
        let transport = CurlTransport(settings: try .loopback { $0.connection.stallDeadline = .milliseconds(30) })
        let error = await TransportError.of { _ = try await transport.send(server.request()) }
        #expect(error?.code == .timeout)
    }

    @Test func connectionsStayOpenWhenFewRequestsAreUnderWayForAMoment() async throws {
        let gates = [Gate(), Gate()]
        let counts = Mutex([0, 0])
        let server = try LoopbackServer { request in
            guard let crowd = request.path == "/first" ? 0 : request.path == "/second" ? 1 : nil else {
                return .answer()
            }
            let count = counts.withLock { counts in
                counts[crowd] += 1
                return counts[crowd]
            }
            if count == 8 { gates[crowd].open() }
            return LoopbackReply([.wait(gates[crowd])] + LoopbackReply.answer().steps)
        }
        let transport = CurlTransport(settings: try .loopback())
        for path in ["/first", "/alone", "/second"] {
            try await withThrowingTaskGroup(of: Void.self) { group in
                for _ in 0..<(path == "/alone" ? 1 : 8) {
                    group.addTask { _ = try await transport.send(server.request(path)) }
                }
                try await group.waitForAll()
            }
        }
        #expect(server.connectionCount == 8)
    }

    @Test func cancellationEndsARequestUnderWay() async throws {
        let arrived = Gate()
        let server = try LoopbackServer { _ in
            arrived.open()
            return .stalling()
        }
        let transport = CurlTransport(settings: try .loopback())
        let task = Task { try await transport.send(server.request()) }
        await arrived.opened()
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
    }

    @Test func cancellationEndsARequestThatStillWaits() async throws {
        let arrived = Gate()
        let server = try LoopbackServer { _ in
            arrived.open()
            return .stalling()
        }
        let transport = CurlTransport(settings: try .loopback { $0.connectionsPerHost = 1 })
        let first = Task { try await transport.send(server.request("/first")) }
        await arrived.opened()
        let second = Task { try await transport.send(server.request("/second")) }
        second.cancel()
        await #expect(throws: CancellationError.self) { try await second.value }
        first.cancel()
        await #expect(throws: CancellationError.self) { try await first.value }
        #expect(server.requests.map(\.path) == ["/first"])
    }

    @Test func cancelledTaskSendsNothing() async throws {
        let server = try LoopbackServer { _ in .answer() }
        let transport = CurlTransport(settings: try .loopback())
        let start = Gate()
        let task = Task {
            await start.opened()
            return try await transport.send(server.request())
        }
        task.cancel()
        start.open()
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(server.requests.isEmpty)
    }
}
