import FoundationEssentials
import HTTPTransport
import ImgScript
import ProviderModel

/// A tool that a client's model may call.
struct MCPTool: Sendable {
    /// Why a tool gave nothing, for the model to read and to do better.
    struct Failure: Error, Hashable {
        let message: String
        var hint: String?
    }

    let name: String
    let run: @Sendable (MCPArguments, MCPCall) async throws -> MCPResult

    /// Checks the arguments, and runs the tool; a failure becomes a result that says so.
    func call(_ values: JSONValue, _ schema: JSONValue, _ call: MCPCall) async throws -> JSONValue {
        do {
            try MCPSchema.check(values, schema, name)
            return try await run(MCPArguments(values: values), call).json
        } catch {
            // The client has taken it back, or the source's own end of a call is an error like others.
            try Task.checkCancellation()
            let text: JSONValue = ["type": "text", "text": .text(Failure(error).text)]
            return ["content": [text], "isError": true]
        }
    }
}

extension MCPTool.Failure {
    init(_ message: String) { self.init(message: message) }

    /// An error of the engine in the words of the command line.
    init(_ error: any Error) {
        switch error {
        case let error as MCPTool.Failure: self = error
        case let error as TransportError: self.init(message: error.message, hint: ErrorHint.text(for: error))
        default: self.init(message: "\(error)", hint: ErrorHint.text(for: error))
        }
    }

    var text: String { "error: \(message)" + (hint.map { "\nhint: \($0)" } ?? "") }
}

/// The arguments of a call, which have been checked against their schema.
struct MCPArguments: Sendable {
    let values: JSONValue

    /// The text of a name; nil where there is none, or an empty one.
    func text(_ name: String) -> String? { values[name]?.textValue.flatMap { $0.isEmpty ? nil : $0 } }

    func texts(_ name: String) -> [String] { (values[name]?.elements ?? []).compactMap(\.textValue) }

    func flag(_ name: String) -> Bool { values[name] == .boolean(true) }

    func integer(_ name: String) -> Int? {
        if case .number(let literal)? = values[name] { MCPSchema.integer(literal) } else { nil }
    }

    /// The text of a name as another value; throws what was expected.
    func value<Value>(_ name: String, _ expected: String, _ read: (String) -> Value?) throws -> Value? {
        try text(name).map { text in
            guard let value = read(text) else {
                throw MCPTool.Failure("\(name): found \(text.quoted) (expected \(expected))")
            }
            return value
        }
    }
}

/// What a tool answers: an object as its schema has it, and a picture beside it.
struct MCPResult: Sendable {
    let structured: JSONValue
    var picture: ImageData?

    var json: JSONValue {
        // Clients before revision 2025-06-18 read the text alone.
        let text: JSONValue = ["type": "text", "text": .text(structured.compact)]
        let image = picture.map { picture -> JSONValue in
            ["type": "image", "data": .text(picture.base64), "mimeType": .text(picture.contentType)]
        }
        return [
            "content": .array([image, text].compactMap(\.self)), "structuredContent": structured, "isError": false,
        ]
    }
}

extension ImageData {
    var base64: String { Data(bytes).base64EncodedString() }
}

extension JSONValue {
    /// An object of members, without those that are nil.
    static func members(_ members: [(String, JSONValue?)]) -> JSONValue {
        .object(members.compactMap { name, value in value.map { Member(name, $0) } })
    }

    /// A text; nil for none.
    static func string(_ text: String?) -> JSONValue? { text.map { .text($0) } }

    static func texts(_ texts: [String]) -> JSONValue { .array(texts.map { .text($0) }) }

    static func integer(_ number: Int?) -> JSONValue? { number.map { .number("\($0)") } }
}
