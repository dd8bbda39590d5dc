import ProviderModel

/// A JSON-RPC 2.0 message of a client of the Model Context Protocol.
enum MCPMessage {
    case request(id: JSONValue, method: String, parameters: JSONValue)
    case notification(method: String, parameters: JSONValue)
    /// A response; this server sends no requests.
    case response

    init(_ line: some Sequence<UInt8>) throws(MCPError) {
        let json: JSONValue
        do { json = try JSONValue(parsing: line) } catch {
            throw MCPError(.parse, "the message is not JSON: \(error)")
        }
        guard case .object = json else {
            // Batches were removed from the protocol with revision 2025-06-18.
            throw MCPError(.request, "the message is of type \(json.kind) (expected one object)")
        }
        let id = json["id"].flatMap { $0.textValue != nil || $0.integerValue != nil ? $0 : nil }
        guard json["jsonrpc"] == "2.0" else { throw MCPError(.request, "jsonrpc is not \"2.0\"", id: id ?? .null) }
        if json["method"] == nil, json["result"] != nil || json["error"] != nil {
            self = .response
            return
        }
        guard let method = json["method"]?.textValue else {
            throw MCPError(.request, "method is missing, or is not a string", id: id ?? .null)
        }
        let parameters = json["params"] ?? [:]
        if json["id"] == nil {
            self = .notification(method: method, parameters: parameters)
            return
        }
        guard let id else { throw MCPError(.request, "id is not valid (expected a string or an integer)") }
        guard case .object = parameters else {
            throw MCPError(.parameters, "params is of type \(parameters.kind) (expected an object)", id: id)
        }
        self = .request(id: id, method: method, parameters: parameters)
    }
}

/// An error of the protocol itself; what goes wrong in a tool is a ``MCPTool/Failure``.
struct MCPError: Error {
    /// JSON-RPC 2.0 §5.1, and the codes of the Model Context Protocol.
    enum Code: Int {
        case parse = -32_700
        case request = -32_600
        case method = -32_601
        case parameters = -32_602
        case `internal` = -32_603
        case busy = -32_000
        case resource = -32_002
    }

    let code: Code
    let message: String
    /// The request that it answers; null where that cannot be told.
    var id = JSONValue.null

    init(_ code: Code, _ message: String, id: JSONValue = .null) {
        (self.code, self.message, self.id) = (code, message, id)
    }

    /// The message that answers the request.
    var line: JSONValue {
        let error: JSONValue = ["code": .number("\(code.rawValue)"), "message": .text(message)]
        return ["jsonrpc": "2.0", "id": id, "error": error]
    }
}

/// JSON as Swift's literals, for what the server itself says.
extension JSONValue: ExpressibleByStringLiteral, ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral,
    ExpressibleByBooleanLiteral
{
    package init(stringLiteral value: String) { self = .text(value) }
    package init(arrayLiteral elements: JSONValue...) { self = .array(elements) }
    package init(booleanLiteral value: Bool) { self = .boolean(value) }
    package init(dictionaryLiteral elements: (String, JSONValue)...) {
        self = .object(elements.map { Member($0, $1) })
    }
}
