import FoundationEssentials
import ProviderModel

/// A cassette's file, as JSON has it.
struct StoredCassette: Decodable {
    struct Entry: Decodable {
        var request: Request
        var response: Response
    }

    struct Request: Decodable {
        var method: String?
        var url: String
        var content: StoredContent

        private enum CodingKeys: CodingKey { case method, url }

        init(from decoder: any Decoder) throws {
            let values = try decoder.container(keyedBy: CodingKeys.self)
            method = try values.decodeIfPresent(String.self, forKey: .method)
            url = try values.decode(String.self, forKey: .url)
            content = try StoredContent(from: decoder)
        }
    }

    struct Response: Decodable {
        var status: Int?
        var headers: [String: String]?
        var content: StoredContent

        private enum CodingKeys: CodingKey { case status, headers }

        init(from decoder: any Decoder) throws {
            let values = try decoder.container(keyedBy: CodingKeys.self)
            status = try values.decodeIfPresent(Int.self, forKey: .status)
            headers = try values.decodeIfPresent([String: String].self, forKey: .headers)
            content = try StoredContent(from: decoder)
        }
    }

    var cassette: Int
    var entries: [Entry]
}

/// A body in the form that reads best: JSON as itself, text, a form's fields, or base64.
struct StoredContent: Decodable {
    /// The body, empty when there is none; nil when base64 is none.
    let bytes: [UInt8]?

    private enum CodingKeys: CodingKey { case json, text, form, base64 }

    init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        if values.contains(.json) {
            var json = JSONWriter()
            try values.decode(StoredJSON.self, forKey: .json).write(to: &json)
            bytes = json.bytes
        } else if let text = try values.decodeIfPresent(String.self, forKey: .text) {
            bytes = Array(text.utf8)
        } else if let form = try values.decodeIfPresent([String: String].self, forKey: .form) {
            let pairs = form.sorted { $0.key < $1.key }
            bytes = Array(
                pairs.map { "\(PercentEncoding.encode($0.key))=\(PercentEncoding.encode($0.value))" }
                    .joined(separator: "&").utf8)
        } else if let text = try values.decodeIfPresent(String.self, forKey: .base64) {
            bytes = Data(base64Encoded: text).map(Array.init)
        } else {
            bytes = []
        }
    }
}

/// Any JSON value.
enum StoredJSON: Decodable {
    case null
    case boolean(Bool)
    case integer(Int)
    case number(Double)
    case text(String)
    case array([StoredJSON])
    case object([String: StoredJSON])

    init(from decoder: any Decoder) throws {
        let value = try decoder.singleValueContainer()
        if value.decodeNil() {
            self = .null
        } else if let text = try? value.decode(String.self) {  // each `try?`: another type is tried next
            self = .text(text)
        } else if let integer = try? value.decode(Int.self) {
            self = .integer(integer)
        } else if let number = try? value.decode(Double.self) {
            self = .number(number)
        } else if let flag = try? value.decode(Bool.self) {
            self = .boolean(flag)
        } else if let array = try? value.decode([StoredJSON].self) {
            self = .array(array)
        } else {
            self = .object(try value.decode([String: StoredJSON].self))
        }
    }

    func write(to json: inout JSONWriter) {
        switch self {
        case .null: json.value(JSONText.null)
        case .boolean(let flag): json.value(flag)
        case .integer(let number): json.value(number)
        case .number(let number): json.value(number)
        case .text(let text): json.value(text)
        case .array(let values): json.array(values) { $1.write(to: &$0) }
        case .object(let members):
            json.object { json in
                for (name, value) in members.sorted(by: { $0.key < $1.key }) {
                    json.name(name)
                    value.write(to: &json)
                }
            }
        }
    }
}
