import ProviderModel
import ProviderRuntime

/// A path down into a JSON value: by names, and into an element of a list.
package struct FieldPath: Hashable, Sendable, CustomStringConvertible {
    /// One step of the path.
    enum Step: Hashable, Sendable {
        case name(String)
        case first
        /// The first element whose member is this text, in a list of several kinds: `type`, `image`.
        case matching(String, String)

        /// Whether it leads into a list.
        var isIntoList: Bool { if case .name = self { false } else { true } }
    }

    var steps: [Step]

    init(_ steps: [Step] = []) { self.steps = steps }

    /// The value at the end of the path; nil where there is none, or null.
    func value(in json: JSONValue) -> JSONValue? {
        var current = json
        for step in steps {
            let next: JSONValue? =
                switch step {
                case .name(let name): current[name]
                case .first: current.elements?.first
                case .matching(let name, let text): current.elements?.first { $0[name] == .text(text) }
                }
            guard let next, next != .null else { return nil }
            current = next
        }
        return current == .null ? nil : current
    }

    /// The names on the path.
    var names: [String] { steps.compactMap { if case .name(let name) = $0 { name } else { nil } } }

    /// The last name on the path.
    var name: String { names.last ?? "" }

    /// The path to what the field is a member of.
    var parent: FieldPath { FieldPath(Array(steps.dropLast())) }

    /// A step further.
    func appending(_ step: Step) -> FieldPath { FieldPath(steps + [step]) }

    /// `urls.full`, `links[0].href`, `$` for the value itself.
    package var description: String {
        guard !steps.isEmpty else { return "$" }
        let text = steps.map { step in
            switch step {
            case .first: "[0]"
            case .matching(let name, let text): "[\(name)=\(text)]"
            case .name(let name): name.asPathStep
            }
        }.joined()
        return text.hasPrefix(".") ? String(text.dropFirst()) : text
    }

    /// `find((file) => file.type === 'image')`, or another method of arrays.
    static func condition(_ method: String, _ name: String, _ value: String) -> String {
        let member = name.isJavaScriptName ? ".\(name)" : "[\(name.asJavaScript)]"
        return "\(method)((/** @type {any} */ file) => file\(member) === \(value.asJavaScript))"
    }

    /// The path as an expression of JavaScript from `root`; `isCertain` says what is there in every item.
    func expression(from root: String, isCertain: (FieldPath) -> Bool = { _ in true }) -> String {
        var text = root
        var path = FieldPath()
        for step in steps {
            let mark = path.steps.isEmpty || isCertain(path) ? "" : "?."
            switch step {
            case .first: text += "\(mark)[0]"
            case .matching(let name, let value):
                text += (mark.isEmpty ? "." : mark) + Self.condition("find", name, value)
            case .name(let name) where name.isJavaScriptName: text += (mark.isEmpty ? "." : mark) + name
            case .name(let name): text += "\(mark)[\(name.asJavaScript)]"
            }
            path = path.appending(step)
        }
        return text
    }
}

extension String {
    /// Whether the text can stand after a point in JavaScript.
    var isJavaScriptName: Bool {
        guard let first, first.isASCII, first.isLetter || first == "_" || first == "$" else { return false }
        return allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "_" || $0 == "$") }
    }

    /// The text as a literal of JavaScript in single quotes.
    var asJavaScript: String {
        var literal = "'"
        for scalar in unicodeScalars {
            switch scalar {
            case "'": literal += "\\'"
            case "\\": literal += "\\\\"
            case "\n": literal += "\\n"
            case "\r": literal += "\\r"
            case "\t": literal += "\\t"
            case "\u{2028}", "\u{2029}": literal += "\\u\(String(scalar.value, radix: 16))"
            case _ where scalar.value < 0x20 || scalar.value == 0x7f:
                literal += "\\x" + (scalar.value < 16 ? "0" : "") + String(scalar.value, radix: 16)
            default: literal.unicodeScalars.append(scalar)
            }
        }
        return literal + "'"
    }

    /// The name of a member as an object literal has it.
    var asMemberName: String { isJavaScriptName ? self : asJavaScript }
}
