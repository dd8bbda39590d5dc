/// The links of a `Link` header line (RFC 8288).
package enum LinkHeader {
    /// One link.
    package struct Link: Hashable, Sendable {
        /// The target as the line has it, perhaps relative.
        package var target: String
        /// The relations, in lower case: `next`, `last`.
        package var relations: [String]
    }

    /// Parses a line, or several joined by commas; what is malformed ends the list.
    package static func parse(_ value: String) -> [Link] {
        var links: [Link] = []
        var rest = value[...]
        while let open = rest.firstIndex(of: "<"), let close = rest[open...].firstIndex(of: ">") {
            let target = String(rest[rest.index(after: open)..<close])
            rest = rest[rest.index(after: close)...]
            links.append(Link(target: target, relations: relations(in: takeParameters(&rest))))
        }
        return links
    }

    /// Splits what follows a target at semicolons, up to the comma before the next one; quotes protect both.
    private static func takeParameters(_ rest: inout Substring) -> [String] {
        var parameters: [String] = []
        var current = ""
        var isQuoted = false
        while let character = rest.popFirst() {
            if character == "\"" { isQuoted.toggle() }
            if !isQuoted, character == "," { break }
            if !isQuoted, character == ";" {
                parameters.append(current)
                current = ""
            } else {
                current.append(character)
            }
        }
        return parameters + [current]
    }

    private static func relations(in parameters: [String]) -> [String] {
        for parameter in parameters {
            let parts = parameter.split(separator: "=", maxSplits: 1).map { String($0).trimmingBlanks }
            guard parts.count == 2, parts[0].lowercased() == "rel" else { continue }
            return parts[1].lowercased().filter { $0 != "\"" }.split(separator: " ").map(String.init)
        }
        return []
    }
}
