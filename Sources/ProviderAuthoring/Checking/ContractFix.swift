import ProviderModel

/// The fix of an error because of which a provider's file cannot be used.
struct ContractFix {
    /// What to do.
    let hint: Hint

    /// Goes by the message, which says what was found and what was expected, and by the file.
    init(of message: String, at path: String, _ outline: SourceOutline) {
        hint =
            Self.export(message, outline)
            ?? .plain(Self.sentence(of: message, at: path, outline) ?? "see the contract for this field")
    }

    private static func sentence(of message: String, at path: String, _ outline: SourceOutline) -> String? {
        file(message) ?? syntax(message, outline) ?? identity(message, path) ?? member(message, path)
    }

    private static func file(_ message: String) -> String? {
        if message.hasSuffix("is not UTF-8 text") { return "save the file as UTF-8" }
        if message.hasSuffix("is not a file") { return "name the provider's file itself" }
        if message.contains(" is not a cassette: ") { return "correct that place of the cassette, or record it again" }
        if message.contains("could not read ") { return "check the path and the permissions of the file" }
        if message.contains(" bytes (expected at most ") {
            return "move data out: the file only builds requests and parses responses"
        }
        return nil
    }

    private static func syntax(_ message: String, _ outline: SourceOutline) -> String? {
        if message.contains("require: ") {
            return "check the name: only files in the provider's folder can be required"
        }
        guard message.hasPrefix("SyntaxError") else {
            // Whatever else is thrown is thrown while the file is loaded.
            return message.firstMatch(of: #/^([A-Za-z]*Error: |threw )/#) == nil
                ? nil : "only describe the source at the top level: what can fail belongs into an operation"
        }
        if outline.tokens.contains(where: { ["import", "export"].contains($0.text) && $0.kind == .name }) {
            return "write const { … } = require('imgscript') and module.exports = { … }: there are no ES modules"
        }
        return "check this line and the end of the previous one for a missing or extra comma or bracket"
    }

    private static func export(_ message: String, _ outline: SourceOutline) -> Hint? {
        guard file(message) == nil, syntax(message, outline) == nil else { return nil }
        if message.contains(" as in a module that providers require") {
            return .several(["check the providers that require it", .createProvider])
        }
        return outline.hasExports && !message.hasPrefix("expected module.exports")
            ? nil : .several(["write module.exports = { contract: 1, … }", .createProvider])
    }

    private static func identity(_ message: String, _ path: String) -> String? {
        guard path == "id" || message.hasPrefix("id: "),
            let found = message.firstMatch(of: /expected "([^"]*)", as the file is named, found "([^"]*)"/)
        else { return nil }
        return "write id: '\(found.1)', or name the file \(found.2).js"
    }

    /// The name or the example that the message has.
    private static func member(_ message: String, _ path: String) -> String? {
        if message.contains(", the contract this version speaks, found ") {
            return "write contract: 1, or update imgscript if a newer version supports it"
        }
        if let nearest = message.firstMatch(of: /did you mean ([^?]+)\?/)?.1 { return "write \(nearest)" }
        if message.contains("expected a field of ") { return "remove it, or see the contract for the fields there" }
        let name = path.isEmpty ? String(message.prefix { $0 != ":" }) : path
        let whole = message.firstMatch(of: #/expected (.+?), found /#)?.1
        guard let expected = whole ?? message.firstMatch(of: /expected ([^,]+)/)?.1 else { return nil }
        if let example = expected.firstMatch(of: #/ such as (.+)$/#)?.1 {
            return "give \(name) a value such as \(example)"
        }
        if message.contains("found undefined") { return "add \(name): \(expected)" }
        return "write \(name): \(expected)"
    }
}
