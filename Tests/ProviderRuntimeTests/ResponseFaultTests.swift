import HTTPTransport
import ProviderModel
import TestSupport
import Testing

@testable import ProviderRuntime

@Suite("An answer that is not what was asked for ends in one error that says so, or in the right items")
struct ResponseFaultTests {
    /// What a search ends with whose source sends this.
    private func outcome(
        _ type: String, _ steps: [RawServer.Step], parse: String = "title: String(res.json.title)"
    ) async throws -> Result<String?, ProviderError> {
        let head = "HTTP/1.0 200 OK\r\nContent-Type: \(type)\r\n\r\n"
        let server = try RawServer([.read, .text(head)] + steps)
        var settings = TransportSettings(version: "1")
        settings.allowedHosts = try AllowedHosts(["127.0.0.1"])
        let source = try await TestProvider.written(
            """
            hosts: ['http://127.0.0.1'],
            search: { request: () => ({ url: 'http://\(server.authority)/' }),
              parse: (res) => ({ items: [{ id: '1', type: 'image', media: [], \(parse) }] }) },
            """, over: RedirectingTransport(over: CurlTransport(settings: settings)))
        do {
            return .success(try await source.page(of: .search("x"), for: ProviderQuery(text: "x")).items.first?.title)
        } catch let error as ProviderError { return .failure(error) }
    }

    private func bytes(_ text: String) -> RawServer.Step { .send(Array(text.utf8)) }

    @Test(arguments: [
        ("", "expected JSON, found an empty body"),
        (" \n ", "expected JSON, found an empty body"),
        ("<!DOCTYPE html><html><head><title>Sign in</title></head></html>", "an HTML page titled \"Sign in\""),
        ("<html><body>Down for maintenance", "expected JSON, found an HTML page"),
        ("{\"title\": \"cut", "expected JSON, found \"{\"title\": \"cut\""),
        ("{\"title\": \"a\"}{}", "expected JSON, found \"{\"title\": \"a\"}{}\""),
        ("\u{1F}\u{8B}\u{8}\0\0", "expected JSON, found "),
    ])
    func otherThanJSON(body: String, found: String) async throws {
        let outcome = try await outcome("application/json", [bytes(body)])
        guard case .failure(let error) = outcome else {
            Issue.record("there was an answer")
            return
        }
        #expect(error.code == .changed)
        #expect(error.operation == .search)
        #expect(error.message.contains(found), "\(error)")
        #expect(!error.description.contains { $0.isNewline || $0 == "\0" })
    }

    @Test(arguments: [("[", "]"), ("{\"title\":", "}")])
    func nestingOfAHundredThousandLevels(open: String, close: String) async throws {
        let count = 100_000
        let inner = open == "[" ? "" : "1"
        let body = String(repeating: open, count: count) + inner + String(repeating: close, count: count)
        let outcome = try await outcome("application/json", [bytes(body)], parse: "title: typeof res.json")
        switch outcome {
        case .success(let title): #expect(title == "object")
        case .failure(let error):
            #expect(error.code == .changed, "\(error)")
            #expect(error.message.contains("expected JSON"), "\(error)")
        }
    }

    @Test func pageOfTwoHundredMegabytesIsStoppedAtTheLimit() async throws {
        let megabyte = [UInt8](repeating: 0x20, count: 1 << 20)
        let outcome = try await outcome("application/json", Array(repeating: .send(megabyte), count: 200))
        guard case .failure(let error) = outcome else {
            Issue.record("there was an answer")
            return
        }
        #expect(error.code == .transport)
        #expect(error.message.contains("sent more than 33554432 bytes"), "\(error)")
        #expect(error.hint == .several(["request fewer results at a time", .raiseBodyLimit]))
    }

    @Test(
        arguments: [
            ("application/json", [0x63, 0x61, 0x66, 0xc3, 0xa9], "café"),
            ("application/json; charset=iso-8859-1", [0x63, 0x61, 0x66, 0xe9], "café"),
            // Not what it says: what cannot be read is one mark each, and the rest is kept.
            ("application/json; charset=utf-8", [0x63, 0x61, 0x66, 0xe9], "caf\u{FFFD}"),
            ("application/json; charset=nonsense", [0x63, 0x61, 0x66, 0xc3, 0xa9], "café"),
            ("application/json", [0x61, 0xff, 0x62, 0xc0, 0x80, 0x63], "a\u{FFFD}b\u{FFFD}\u{FFFD}c"),
        ] as [(String, [UInt8], String)])
    func titleInAnotherCharset(type: String, title: [UInt8], expected: String) async throws {
        let body = Array("{\"title\": \"".utf8) + title + Array("\"}".utf8)
        #expect(try await outcome(type, [.send(body)]).get() == expected)
    }

    @Test func byteOrderMarkTakesPrecedenceOverTheLabel() async throws {
        let units = Array("{\"title\": \"é\"}".utf16)
        let body: [UInt8] = [0xff, 0xfe] + units.flatMap { unit in [UInt8(unit & 0xff), UInt8(unit >> 8)] }
        #expect(try await outcome("application/json; charset=utf-8", [.send(body)]).get() == "é")
    }

    @Test func brokenOffAnswerNeverReachesTheScript() async throws {
        let half = "HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n{\"title\": \"half\"}"
        let server = try RawServer([.read, .text(half)])
        var settings = TransportSettings(version: "1")
        settings.allowedHosts = try AllowedHosts(["127.0.0.1"])
        let source = try await TestProvider.written(
            """
            hosts: ['http://127.0.0.1'],
            search: { request: () => ({ url: 'http://\(server.authority)/' }), parse: () => ({ items: [] }) },
            """, over: CurlTransport(settings: settings))
        let error = await #expect(throws: ProviderError.self) {
            try await source.page(of: .search("x"), for: ProviderQuery(text: "x"))
        }
        #expect(error?.code == .transport)
        let start = "made: search: http://\(server.authority) closed the connection before the end of the response ("
        #expect(error?.description.hasPrefix(start) == true, "\(error!)")
    }
}
