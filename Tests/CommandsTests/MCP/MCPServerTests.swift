import ImgScript
import ProviderModel
import Synchronization
import TestSupport
import Testing

@testable import Commands

/// The protocol, with tools of the tests' own.
struct MCPServerTests {
    /// A server with tools of its own, and what it sent.
    private final class Session: Sendable {
        private let sent = Mutex<[JSONValue]>([])
        private let server = Mutex<MCPServer?>(nil)

        init(_ tools: [MCPTool] = [], isInitialized: Bool = true) throws {
            let images = ImageTools(engine: try ImageEngine(.init(environment: ["HOME": "/nowhere"])), providers: [])
            let resources = MCPResources(tools: images, folder: nil)
            let server = MCPServer(try MCPDescriptions(), tools: tools, resources: resources) { [weak self] message in
                self?.sent.withLock { $0.append(message) }
            }
            self.server.withLock { $0 = server }
            guard isInitialized else { return }
            receive(#"{"jsonrpc":"2.0","id":"first","method":"initialize","params":{"protocolVersion":"2025-11-25"}}"#)
            receive(#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#)
            sent.withLock { $0 = [] }
        }

        var messages: [JSONValue] { sent.withLock(\.self) }

        func receive(_ line: String) { server.withLock(\.self)?.receive(Array(line.utf8)) }

        /// Sends a request, and returns its answer; nil where there is none in the end.
        func answer(_ method: String, _ parameters: String = "{}", id: String = "1") async -> JSONValue? {
            receive(#"{"jsonrpc":"2.0","id":\#(id),"method":"\#(method)","params":\#(parameters)}"#)
            await finish()
            return messages.first { $0["id"] == JSONValue.found(in: id.utf8) }
        }

        func finish() async { await server.withLock(\.self)?.finish() }
    }

    private static let echo = MCPTool(name: "search_images") { arguments, call in
        call.report(1, of: 2, "half")
        return MCPResult(structured: ["query": .text(arguments.text("query") ?? "")])
    }

    @Test(arguments: [
        ("2025-11-25", "2025-11-25"), ("2025-06-18", "2025-06-18"), ("2025-03-26", "2025-11-25"), ("1", "2025-11-25"),
    ])
    func revisionIsTheClientsWhereItIsKnown(asked: String, given: String) async throws {
        let session = try Session(isInitialized: false)
        let answer = await session.answer("initialize", #"{"protocolVersion":"\#(asked)","capabilities":{}}"#)
        #expect(answer?["result"]?["protocolVersion"] == .text(given))
        #expect(answer?["result"]?["capabilities"]?["tools"] != nil)
        #expect(answer?["result"]?["instructions"]?.textValue?.contains("credit") == true)
        #expect(await session.answer("initialize", #"{"protocolVersion":"1"}"#, id: "2")?["error"] != nil)
    }

    @Test func nothingButPingIsAnsweredBeforeTheSessionBegins() async throws {
        let session = try Session([Self.echo], isInitialized: false)
        #expect(await session.answer("ping")?["result"] == [:])
        // A client of a later revision asks so whether the server is one.
        let discovery = await session.answer("server/discover", id: "3")
        #expect(discovery?["error"]?["code"]?.integerValue == -32_601)
        let answer = await session.answer("tools/call", #"{"name":"search_images","arguments":{"query":"x"}}"#, id: "2")
        #expect(answer?["error"]?["code"]?.integerValue == -32_600)
    }

    @Test(arguments: [
        ("{", -32_700), ("\u{0}", -32_700), ("[]", -32_600), ("7", -32_600), ("{}", -32_600),
        (String(repeating: "[", count: 100_000), -32_700),
        (#"{"jsonrpc":"1.0","id":1,"method":"ping"}"#, -32_600), (#"{"jsonrpc":"2.0","id":1,"method":7}"#, -32_600),
        (#"{"jsonrpc":"2.0","id":null,"method":"ping"}"#, -32_600),
        (#"{"jsonrpc":"2.0","id":{},"method":"ping"}"#, -32_600),
        (#"{"jsonrpc":"2.0","id":1.5,"method":"ping"}"#, -32_600),
        (#"{"jsonrpc":"2.0","id":1,"method":"ping","params":[]}"#, -32_602),
        (#"{"jsonrpc":"2.0","id":1,"method":"sampling/createMessage"}"#, -32_601),
        (#"{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"cursor":"x"}}"#, -32_602),
        (#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"search_image"}}"#, -32_602),
        (#"{"jsonrpc":"2.0","id":1,"method":"tools/call"}"#, -32_602),
        (#"{"jsonrpc":"2.0","id":1,"method":"prompts/get","params":{"name":"illustrate_text"}}"#, -32_602),
        (#"{"jsonrpc":"2.0","id":1,"method":"resources/read","params":{"uri":"file:///etc/passwd"}}"#, -32_002),
        (#"{"jsonrpc":"2.0","id":1,"method":"resources/read","params":{"uri":"imgscript://credits"}}"#, -32_002),
    ])
    func wrongMessageIsAnErrorOfJSONRPC(line: String, code: Int) async throws {
        let session = try Session([Self.echo])
        session.receive(line)
        await session.finish()
        #expect(session.messages.count == 1)
        #expect(session.messages.first?["error"]?["code"]?.integerValue == code, "\(session.messages)")
        #expect(session.messages.first?["jsonrpc"] == "2.0")
    }

    @Test(arguments: [
        #"{"jsonrpc":"2.0","method":"notifications/unknown"}"#, #"{"jsonrpc":"2.0","id":1,"result":{}}"#,
        #"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":99}}"#,
        #"{"jsonrpc":"2.0","method":"notifications/cancelled","params":[]}"#,
    ])
    func notificationIsNotAnswered(line: String) async throws {
        let session = try Session([Self.echo])
        session.receive(line)
        await session.finish()
        #expect(session.messages == [])
    }

    @Test(arguments: [
        ("{}", "query is missing"), (#"{"query":null}"#, "query is missing"), (#"{"query":7}"#, "expected string"),
        (#"{"query":""}"#, "expected 1 to 500"), (#"{"query":"a","limt":3}"#, "did you mean \"limit\"?"),
        (#"{"query":"a","limit":0}"#, "expected 1 to 50"), (#"{"query":"a","limit":1e99}"#, "expected an integer"),
        (#"{"query":"a","limit":2.5}"#, "expected an integer"), (#"{"query":"a","limit":"3"}"#, "expected integer"),
        (#"{"query":"a","license":"cc0"}"#, "expected array"), (#"{"query":"a","license":[1]}"#, "license[0]"),
        (#"{"query":"a","license":["\#(String(repeating: "x", count: 65))"]}"#, "expected at most 64 characters"),
        (#"[]"#, "expected object"), (#""x""#, "expected object"),
    ])
    func wrongArgumentsAreAResultThatSaysSo(arguments: String, says: String) async throws {
        let session = try Session([Self.echo])
        let answer = await session.answer("tools/call", #"{"name":"search_images","arguments":\#(arguments)}"#)
        let result = try #require(answer?["result"])
        #expect(result["isError"] == true && result["structuredContent"] == nil)
        let text = try #require(result["content"]?.elements?.first?["text"]?.textValue)
        #expect(text.hasPrefix("error: ") && text.contains(says), "\(text)")
    }

    @Test func integersMayHaveAPointAndNullsAreNothing() async throws {
        let session = try Session([Self.echo])
        let arguments = #"{"query":"a","limit":10.0,"license":null}"#
        let answer = await session.answer("tools/call", #"{"name":"search_images","arguments":\#(arguments)}"#)
        #expect(answer?["result"]?["structuredContent"] == ["query": "a"])
        #expect(answer?["result"]?["content"]?.elements?.first?["text"] == .text(#"{"query":"a"}"#))
    }

    @Test func aThousandCallsSideBySideAreAnsweredOnceEach() async throws {
        let session = try Session([Self.echo])
        for id in 1...1_000 {
            session.receive(
                #"{"jsonrpc":"2.0","id":\#(id),"method":"tools/call","params":"#
                    + #"{"name":"search_images","arguments":{"query":"\#(id)"}}}"#)
        }
        await session.finish()
        var answered: Set<Int> = []
        for message in session.messages {
            let id = try #require(message["id"]?.integerValue)
            #expect(message["result"]?["structuredContent"]?["query"]?.textValue == "\(id)")
            answered.insert(id)
        }
        #expect(answered == Set(1...1_000))
        #expect(session.messages.count == 1_000)
    }

    @Test func cancelledCallIsEndedAndNotAnswered() async throws {
        let (started, cancelled) = (Gate(), Gate())
        let session = try Session([
            MCPTool(name: "search_images") { _, _ in
                defer { cancelled.open() }
                started.open()
                // Ends when it is cancelled, and not before.
                try await Task.sleep(for: .seconds(3_600))
                return MCPResult(structured: [:])
            }
        ])
        session.receive(
            #"{"jsonrpc":"2.0","id":5,"method":"tools/call","params":{"name":"search_images","arguments":{"query":"a"}}}"#
        )
        await started.opened()
        session.receive(#"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":5}}"#)
        await cancelled.opened()
        await session.finish()
        #expect(!session.messages.contains { $0["id"] == .number("5") })
    }

    @Test func progressIsReportedToThoseWhoAskForIt() async throws {
        let session = try Session([Self.echo])
        let call = #"{"name":"search_images","arguments":{"query":"a"}"#
        _ = await session.answer("tools/call", call + "}")
        #expect(session.messages.count == 1)
        _ = await session.answer("tools/call", call + #","_meta":{"progressToken":"t"}}"#, id: "2")
        let progress = session.messages[1]
        #expect(progress["method"] == "notifications/progress" && progress["id"] == nil)
        let expected = #"{"progressToken":"t","progress":1,"total":2,"message":"half"}"#
        #expect(progress["params"]?.compact == expected)
        #expect(session.messages[2]["id"] == .number("2"))
    }

    @Test func idOfACallUnderWayIsRefused() async throws {
        let gate = Gate()
        let session = try Session([
            MCPTool(name: "search_images") { _, _ in
                await gate.opened()
                return MCPResult(structured: [:])
            }
        ])
        let line =
            #"{"jsonrpc":"2.0","id":5,"method":"tools/call","params":{"name":"search_images","arguments":{"query":"a"}}}"#
        session.receive(line)
        session.receive(line)
        gate.open()
        await session.finish()
        #expect(session.messages.compactMap { $0["error"]?["code"]?.integerValue } == [-32_600])
        #expect(session.messages.count == 2)
    }

    @Test func promptHasItsArgumentsAndNothingIsReadInThem() async throws {
        let session = try Session()
        let answer = await session.answer(
            "prompts/get", #"{"name":"illustrate_text","arguments":{"text":"Foxes {pictures} sleep.","pictures":"2"}}"#)
        let text = answer?["result"]?["messages"]?.elements?.first?["content"]?["text"]?.textValue
        #expect(text?.contains("or 2 if") == true && text?.hasSuffix("\n\nFoxes {pictures} sleep.") == true)
    }

    @Test func everyToolIsDescribed() throws {
        let descriptions = try MCPDescriptions()
        let images = ImageTools(engine: try ImageEngine(.init(environment: ["HOME": "/nowhere"])), providers: [])
        let authoring = AuthoringTools(engine: images.engine, folder: "x", settings: .init())
        let tools = images.tools + [DownloadTool(engine: images.engine, folder: "x").tool] + authoring.tools
        #expect(tools.map(\.name) == descriptions["tools"].elements?.compactMap { $0["name"]?.textValue })
        #expect(!descriptions["tools"].compact.contains("$ref") && !descriptions["tools"].compact.contains("\n"))
        for tool in descriptions["tools"].elements ?? [] {
            for schema in [tool["inputSchema"], tool["outputSchema"]] {
                #expect(schema?["type"] == "object")
                let names = schema?["properties"]?.members?.map(\.name) ?? []
                let required = schema?["required"]?.elements?.compactMap(\.textValue) ?? []
                #expect(required.filter { !names.contains($0) } == [])
            }
        }
    }

    @Test(arguments: [
        "..", "a/../..", "/etc", "a//b", "", ".ssh", "a/./b", "a\u{0}", "a\nb",
        String(repeating: "a/", count: 17) + "a",
    ])
    func folderIsBelowThatOfDownloads(folder: String) throws {
        #expect(throws: MCPTool.Failure.self) { try DownloadTool.path(folder, below: "/home/ana/agent") }
    }

    @Test func folderHasItsNames() throws {
        #expect(try DownloadTool.path("foxes/red", below: "agent") == "agent/foxes/red")
        #expect(try DownloadTool.path(nil, below: "agent") == "agent")
    }
}
