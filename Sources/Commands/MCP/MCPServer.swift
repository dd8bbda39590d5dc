import ImgScript
import ProviderModel
import Synchronization

/// A server of the Model Context Protocol: answers the messages of one client, any number of calls side by side.
///
/// https://modelcontextprotocol.io/specification/2025-11-25
final class MCPServer: Sendable {
    /// The revisions that are spoken, the newest first.
    static let revisions = ["2025-11-25", "2025-06-18", "2024-11-05"]
    /// How many calls may be under way or wait.
    static let callLimit = 10_000
    /// How many calls work at the same time.
    private static let concurrentCalls = 32

    /// The methods that a session has to begin before.
    private static let sessionMethods: Set = [
        "tools/list", "tools/call", "resources/list", "resources/templates/list", "resources/read", "prompts/list",
        "prompts/get",
    ]

    private struct State {
        var isInitialized = false
        var running: [JSONValue: Task<Void, Never>] = [:]
    }

    private let descriptions: MCPDescriptions
    private let tools: [MCPTool]
    private let resources: MCPResources
    private let send: @Sendable (JSONValue) -> Void
    private let permits = AsyncSemaphore(concurrentCalls)
    private let state = Mutex(State())

    /// A server that hands each message to `send`, in order, which must not wait.
    init(
        _ descriptions: MCPDescriptions, tools: [MCPTool], resources: MCPResources,
        send: @escaping @Sendable (JSONValue) -> Void
    ) {
        self.descriptions = descriptions
        self.tools = tools
        self.resources = resources
        self.send = send
    }

    /// Takes a line of the client; calls go on after it returns.
    func receive(_ line: some Sequence<UInt8>) {
        do throws(MCPError) {
            switch try MCPMessage(line) {
            case .request(let id, let method, let parameters):
                do throws(MCPError) { try answer(id, method, parameters) } catch {
                    throw MCPError(error.code, error.message, id: id)
                }
            case .notification("notifications/cancelled", let parameters):
                if let id = parameters["requestId"] { state.withLock { $0.running.removeValue(forKey: id) }?.cancel() }
            case .notification, .response: break
            }
        } catch { send(error.line) }
    }

    /// Waits until every call is answered.
    func finish() async { for task in state.withLock({ Array($0.running.values) }) { await task.value } }

    private func answer(_ id: JSONValue, _ method: String, _ parameters: JSONValue) throws(MCPError) {
        // A client of later revisions asks for what it need not: to it, the method is unknown.
        guard state.withLock(\.isInitialized) || !Self.sessionMethods.contains(method) else {
            throw MCPError(.request, "\(method): the session is not initialized (expected initialize first)")
        }
        if method.hasSuffix("/list"), parameters["cursor"] ?? .null != .null {
            throw MCPError(.parameters, "cursor is not valid (expected none: lists have one page)")
        }
        let name = parameters["name"]?.textValue ?? ""
        switch method {
        case "ping": reply(id, [:])
        case "initialize": reply(id, try initialize(parameters))
        case "tools/list": reply(id, ["tools": .array(tools.compactMap { descriptions.tool($0.name) })])
        case "resources/list": reply(id, ["resources": .array(resources.list(descriptions))])
        case "resources/templates/list": reply(id, ["resourceTemplates": descriptions["resourceTemplates"]])
        case "prompts/list": reply(id, ["prompts": descriptions.prompts])
        case "prompts/get": reply(id, try descriptions.prompt(name, parameters["arguments"] ?? [:]))
        case "tools/call":
            guard let tool = tools.first(where: { $0.name == name }) else {
                throw MCPError(
                    .parameters, "unknown tool \(name.quoted)\(name.suggestion(among: tools.map(\.name)))")
            }
            let schema = descriptions.tool(name)?["inputSchema"] ?? [:]
            try start(id, parameters) { try await tool.call(parameters["arguments"] ?? [:], schema, $0) }
        case "resources/read":
            guard let uri = parameters["uri"]?.textValue else { throw MCPError(.parameters, "uri is missing") }
            try start(id, parameters) { [resources] _ in ["contents": [try await resources.read(uri)]] }
        default: throw MCPError(.method, "unknown method \(method.quoted)")
        }
    }

    private func initialize(_ parameters: JSONValue) throws(MCPError) -> JSONValue {
        guard let asked = parameters["protocolVersion"]?.textValue else {
            throw MCPError(.parameters, "protocolVersion is missing")
        }
        let isFirst = state.withLock { state in
            defer { state.isInitialized = true }
            return !state.isInitialized
        }
        guard isFirst else { throw MCPError(.request, "the session is already initialized") }
        return [
            "protocolVersion": .text(Self.revisions.first { $0 == asked } ?? Self.revisions[0]),
            "capabilities": ["tools": [:], "resources": [:], "prompts": [:]],
            "serverInfo": ["name": "imgscript", "title": "imgscript", "version": .text(ImageEngine.version)],
            "instructions": descriptions["instructions"],
        ]
    }

    private func reply(_ id: JSONValue, _ result: JSONValue) {
        send(["jsonrpc": "2.0", "id": id, "result": result])
    }

    // MARK: Calls

    private func start(
        _ id: JSONValue, _ parameters: JSONValue, _ work: @escaping @Sendable (MCPCall) async throws -> JSONValue
    ) throws(MCPError) {
        let call = MCPCall(token: parameters["_meta"]?["progressToken"]) { [weak self] in self?.progress(of: id, $0) }
        try state.withLock { (state) throws(MCPError) in
            guard state.running[id] == nil else { throw MCPError(.request, "the id is that of a call under way") }
            guard state.running.count < Self.callLimit else {
                throw MCPError(.busy, "\(Self.callLimit) calls are under way (expected fewer)")
            }
            // Its owner is `running`, by which it is cancelled; it removes itself there, once it may.
            state.running[id] = Task { await self.run(id, call, work) }
        }
    }

    private func run(
        _ id: JSONValue, _ call: MCPCall, _ work: @Sendable (MCPCall) async throws -> JSONValue
    ) async {
        do {
            try await permits.wait()
            defer { permits.signal() }
            end(id, ["jsonrpc": "2.0", "id": id, "result": try await work(call)])
        } catch let error as MCPError {
            end(id, MCPError(error.code, error.message, id: id).line)
        } catch {
            end(id, MCPError(.internal, "\(error)", id: id).line)
        }
    }

    /// Sends a call's last message, unless it was cancelled meanwhile.
    private func end(_ id: JSONValue, _ message: JSONValue) {
        state.withLock { if !Task.isCancelled, $0.running.removeValue(forKey: id) != nil { send(message) } }
    }

    private func progress(of id: JSONValue, _ message: JSONValue) {
        state.withLock { if $0.running[id] != nil { send(message) } }
    }
}

/// One call under way.
struct MCPCall: Sendable {
    private let token: JSONValue?
    private let send: @Sendable (JSONValue) -> Void

    init(token: JSONValue? = nil, send: @escaping @Sendable (JSONValue) -> Void = { _ in }) {
        self.token = token.flatMap { $0.textValue != nil || $0.integerValue != nil ? $0 : nil }
        self.send = send
    }

    /// Tells a client that asked for it how far the call has come.
    func report(_ done: Int, of total: Int? = nil, _ message: String) {
        guard let token else { return }
        let parameters = JSONValue.members([
            ("progressToken", token), ("progress", .integer(done)), ("total", .integer(total)),
            ("message", .string(message)),
        ])
        send(["jsonrpc": "2.0", "method": "notifications/progress", "params": parameters])
    }
}
