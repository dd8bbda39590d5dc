import FoundationEssentials
import ProviderModel

/// A body in the form that reads best: JSON as itself, text (a list of lines where there are many), the fields of a
/// form, or base 64.
struct StoredContent {
    /// The body, empty when there is none.
    let bytes: [UInt8]

    /// Reads the body of a stored request or response.
    init(_ json: JSONValue, at place: String) throws(InvalidJSON) {
        if let value = json["json"] {
            bytes = Array(value.compact.utf8)
        } else if let text = json["text"] {
            guard let text = text.textValue ?? Self.joined(text) else {
                throw InvalidJSON(description: "\(place).text: expected a text or a list of lines, found \(text.kind)")
            }
            bytes = Array(text.utf8)
        } else if let form = json["form"] {
            let pairs = (form.members ?? []).compactMap { member in
                member.value.textValue.map { NamedValue(member.name, $0) }
            }
            guard pairs.count == form.members?.count else {
                throw InvalidJSON(description: "\(place).form: expected an object of texts")
            }
            bytes = Array(
                pairs.map { "\(PercentEncoding.encode($0.name))=\(PercentEncoding.encode($0.value))" }
                    .joined(separator: "&").utf8)
        } else if let encoded = json["base64"] {
            guard let data = encoded.textValue.flatMap({ Data(base64Encoded: $0) }) else {
                throw InvalidJSON(description: "\(place).base64: expected base 64")
            }
            bytes = Array(data)
        } else {
            bytes = []
        }
    }

    private static func joined(_ json: JSONValue) -> String? {
        guard let lines = json.elements else { return nil }
        let texts = lines.compactMap(\.textValue)
        return texts.count == lines.count ? texts.joined(separator: "\n") : nil
    }

    /// The member that stores a body; nil for an empty one.
    static func member(for bytes: [UInt8], isForm: Bool) -> JSONValue.Member? {
        guard !bytes.isEmpty else { return nil }
        if let json = JSONValue.found(in: bytes), json.isFaithful { return JSONValue.Member("json", json) }
        guard let text = String(validating: bytes, as: UTF8.self), !text.contains("\0") else {
            return JSONValue.Member("base64", .text(Data(bytes).base64EncodedString()))
        }
        if isForm, let form = Self.form(text) { return JSONValue.Member("form", form) }
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map { JSONValue.text(String($0)) }
        return JSONValue.Member("text", lines.count < 3 ? .text(text) : .array(lines))
    }

    /// The fields of a form; nil when reading them back would give another text.
    private static func form(_ text: String) -> JSONValue? {
        let pairs = text.split(separator: "&", omittingEmptySubsequences: false).map { pair in
            let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            let value = parts.count > 1 ? PercentEncoding.decode(parts[1]) : ""
            return JSONValue.Member(PercentEncoding.decode(parts[0]), .text(value))
        }
        return Set(pairs.map(\.name)).count == pairs.count ? .object(pairs) : nil
    }
}

extension JSONValue {
    /// Whether the value reads back as it was sent: no object names a member twice, and it is worth its own lines.
    fileprivate var isFaithful: Bool {
        switch self {
        case .object(let members):
            Set(members.map(\.name)).count == members.count && members.allSatisfy { $0.value.isWithoutRepeats }
        case .array(let values): values.allSatisfy(\.isWithoutRepeats)
        default: false
        }
    }

    private var isWithoutRepeats: Bool {
        switch self {
        case .object, .array: isFaithful
        default: true
        }
    }
}
