import Foundation

/// The interfaces of `providers/types/imgscript.d.ts`: enough of a parser of TypeScript to see names and question marks.
struct TypeDeclarations {
    /// A member of an interface.
    struct Member: Hashable {
        let name: String
        let isOptional: Bool
    }

    /// By name; an object type without a name is called after its place: `Limits.pageSize`.
    private(set) var interfaces: [String: [Member]] = [:]
    /// The names of exported functions and constants, by module.
    private(set) var exports: [String: Set<String>] = [:]

    /// Reads the file that ships.
    init() throws {
        let path = #filePath.split(separator: "/").dropLast(4).reduce(into: "") { $0 += "/\($1)" }
        let text = try String(contentsOfFile: path + "/providers/types/imgscript.d.ts", encoding: .utf8)
        read(text.replacing(/\/\*[\s\S]*?\*\//, with: "").replacing(/\/\/[^\n]*/, with: ""))
    }

    private mutating func read(_ text: String) {
        for module in text.matches(of: /declare module '([^']+)' \{/) {
            let body = Self.block(in: text, from: text.index(before: module.range.upperBound))
            exports[String(module.1)] = Set(body.matches(of: /export (?:const|function) (\w+)/).map { String($0.1) })
        }
        for found in text.matches(of: /interface (\w+)[^{]*\{/) {
            read(members: Self.block(in: text, from: text.index(before: found.range.upperBound)), of: String(found.1))
        }
        for found in text.matches(of: /export const (\w+): \{/) {
            read(members: Self.block(in: text, from: text.index(before: found.range.upperBound)), of: String(found.1))
        }
        readAlternatives(of: "Auth", in: text)
    }

    /// A type of several object types: a member is optional where any of them lacks it.
    private mutating func readAlternatives(of name: String, in text: String) {
        guard let start = text.firstRange(of: "export type \(name) ="),
            let end = text[start.upperBound...].firstRange(of: "\n  );")
        else { return }
        var rest = text[start.upperBound..<end.lowerBound]
        var alternatives: [[Member]] = []
        while let open = rest.firstIndex(of: "{") {
            let block = Self.block(in: text, from: open)
            var reader = TypeDeclarations(empty: ())
            reader.read(members: block, of: name)
            alternatives.append(reader.interfaces[name] ?? [])
            rest = rest[text.index(open, offsetBy: block.count + 2)...]
        }
        let names = Set(alternatives.flatMap { $0.map(\.name) })
        interfaces[name] = names.sorted().map { Member(name: $0, isOptional: $0 != "type") }
    }

    private init(empty: Void) {}

    private mutating func read(members body: String, of name: String) {
        var members: [Member] = []
        for part in Self.parts(of: body) {
            guard let match = part.firstMatch(of: /^\s*(?:readonly )?(\w+)(\?)?\s*[:(<]\s*(\{)?/) else { continue }
            members.append(Member(name: String(match.1), isOptional: match.2 != nil))
            if match.3 != nil {
                read(
                    members: Self.block(in: part, from: part.index(before: match.range.upperBound)),
                    of: "\(name).\(match.1)")
            }
        }
        interfaces[name] = members
    }

    /// What stands between a brace and the one that closes it.
    private static func block(in text: String, from open: String.Index) -> String {
        var depth = 0
        var index = open
        while index < text.endIndex {
            if text[index] == "{" { depth += 1 }
            if text[index] == "}" { depth -= 1 }
            if depth == 0 { return String(text[text.index(after: open)..<index]) }
            index = text.index(after: index)
        }
        return ""
    }

    /// Members, each up to its semicolon.
    private static func parts(of body: String) -> [String] {
        var parts: [String] = []
        var part = ""
        var depth = 0
        for character in body {
            if "{([".contains(character) { depth += 1 }
            if "})]".contains(character) { depth -= 1 }
            if character == ";", depth == 0 {
                parts.append(part)
                part = ""
            } else {
                part.append(character)
            }
        }
        return parts + [part]
    }
}
