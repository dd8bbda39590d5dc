import FoundationEssentials
import Glibc
import HTTPTypes
import ProviderModel

/// Recorded requests with their answers, as they stand in a file beside a provider.
package struct Cassette: Sendable {
    /// One request and its answer.
    package struct Entry: Sendable {
        /// The calls that the entry is the first answer to; none for one that follows in a call.
        package var calls: [RecordedCall]
        /// The request's method.
        package let method: String
        /// Where it went, without credentials.
        package let url: WebURL
        /// What was sent, if anything.
        package let body: [UInt8]
        /// The answer's status.
        package let status: Int
        /// The answer's header lines.
        package let headers: HTTPFields
        /// The answer's content.
        package let content: [UInt8]
        /// The day it was recorded; nil for one that was written by hand.
        package let recorded: CalendarDay?
        /// The request and the answer as their file has them, so that they are written as they were; nil for new ones.
        let stored: JSONValue?

        /// Creates an entry.
        package init(
            calls: [RecordedCall] = [], method: String = "GET", url: WebURL, body: [UInt8] = [], status: Int = 200,
            headers: HTTPFields = [:], content: [UInt8], recorded: CalendarDay? = nil
        ) {
            self.init(
                calls: calls, method: method, url: url, body: body, status: status, headers: headers, content: content,
                recorded: recorded, stored: nil)
        }

        init(
            calls: [RecordedCall], method: String, url: WebURL, body: [UInt8], status: Int, headers: HTTPFields,
            content: [UInt8], recorded: CalendarDay?, stored: JSONValue?
        ) {
            self.calls = calls
            self.method = method
            self.url = url
            self.body = body
            self.status = status
            self.headers = headers
            self.content = content
            self.recorded = recorded
            self.stored = stored
        }
    }

    /// The file's name without its ending: `search`.
    package var name: String
    /// In the file's order.
    package var entries: [Entry]
    /// Members of the file beside its entries, such as a note.
    var remarks: [JSONValue.Member] = []

    /// A cassette that is in no file yet.
    package init(name: String, provider: ProviderID, note: String? = nil, entries: [Entry] = []) {
        self.name = name
        self.entries = entries
        remarks = [JSONValue.Member("provider", .text(provider.description))]
        if let note { remarks.append(JSONValue.Member("note", .text(note))) }
    }

    init(name: String, entries: [Entry], remarks: [JSONValue.Member]) {
        self.name = name
        self.entries = entries
        self.remarks = remarks
    }
}

extension Cassette {
    /// An entry's place in its file.
    package struct Place: Hashable, Sendable, CustomStringConvertible {
        /// The cassette.
        package var cassette: String
        /// The entry's index.
        package var index: Int
        /// `GET https://…`.
        package var request: String

        /// `search.json entries[1]`.
        package var description: String { "\(cassette).json entries[\(index)]" }
    }

    /// Where each entry stands.
    package var places: [Place] {
        entries.enumerated().map { index, entry in
            Place(cassette: name, index: index, request: "\(entry.method) \(entry.url)")
        }
    }
}

extension Cassette {
    /// The format this version reads and writes.
    static let format = 1

    /// Reads a cassette from its file.
    package init(contentsOf path: String) throws(ProviderError) {
        let data: Data
        do { data = try Data(contentsOf: URL(filePath: path)) } catch {
            throw ProviderError(.file, provider: "", message: "could not read \(path): \(error.systemReason)")
        }
        let file = path.split(separator: "/").last.map(String.init) ?? path
        let name = file.hasSuffix(".json") ? String(file.dropLast(5)) : file
        let json: JSONValue
        do throws(InvalidJSON) { json = try JSONValue(parsing: data) } catch {
            throw ProviderError(
                .file, provider: "", message: "\(path) is not valid JSON: \(error.located(in: Array(data)))")
        }
        do throws(InvalidJSON) { try self.init(named: name, json) } catch {
            throw ProviderError(.file, provider: "", message: "\(path) is not a cassette: \(error)")
        }
    }

    /// Reads a cassette from its JSON.
    package init(named name: String, _ json: JSONValue) throws(InvalidJSON) {
        guard let members = json.members, let format = json["cassette"] else {
            throw InvalidJSON(description: "expected an object with \"cassette\": \(Self.format)")
        }
        guard format.integerValue == Self.format else {
            throw InvalidJSON(description: "cassette is \(format.compact), expected \(Self.format)")
        }
        guard let stored = json["entries"]?.elements else {
            throw InvalidJSON(description: "expected a list of entries")
        }
        var entries: [Entry] = []
        for (index, entry) in stored.enumerated() { entries.append(try Entry(entry, at: "entries[\(index)]")) }
        self.init(
            name: name, entries: entries, remarks: members.filter { $0.name != "cassette" && $0.name != "entries" })
    }
}

extension Cassette.Entry {
    fileprivate init(_ json: JSONValue, at place: String) throws(InvalidJSON) {
        guard let request = json["request"], let response = json["response"] else {
            throw InvalidJSON(description: "\(place): expected a request and a response")
        }
        let text = request["url"]?.textValue ?? ""
        let url: WebURL
        do throws(InvalidURL) { url = try WebURL(text) } catch {
            throw InvalidJSON(description: "\(place).request.url: expected an absolute URL, found \(error)")
        }
        var recorded: CalendarDay?
        if let day = json["recorded"] {
            recorded = CalendarDay(day.textValue ?? "")
            guard recorded != nil else {
                throw InvalidJSON(
                    description: "\(place).recorded: expected a day such as 2026-01-31, found \(day.compact)")
            }
        }
        var calls: [RecordedCall] = []
        for call in json["call"].map({ $0.elements ?? [$0] }) ?? [] {
            calls.append(try RecordedCall(call, at: "\(place).call"))
        }
        self.init(
            calls: calls, method: request["method"]?.textValue ?? "GET", url: url,
            body: try StoredContent(request, at: "\(place).request").bytes,
            status: try Self.status(response["status"], at: "\(place).response.status"),
            headers: try Self.headers(response["headers"], at: "\(place).response.headers"),
            content: try StoredContent(response, at: "\(place).response").bytes, recorded: recorded, stored: json)
    }

    private static func status(_ json: JSONValue?, at place: String) throws(InvalidJSON) -> Int {
        guard let json else { return 200 }
        guard let status = json.integerValue, (100...599).contains(status) else {
            throw InvalidJSON(description: "\(place): expected a status such as 200, found \(json.compact)")
        }
        return status
    }

    private static func headers(_ json: JSONValue?, at place: String) throws(InvalidJSON) -> HTTPFields {
        var fields = HTTPFields()
        for member in json?.members ?? [] {
            guard let name = HTTPField.Name(member.name), let value = member.value.textValue else {
                throw InvalidJSON(description: "\(place).\(member.name): expected a header line's text")
            }
            fields.append(HTTPField(name: name, value: value))
        }
        return fields
    }
}

// MARK: - Writing

extension Cassette {
    /// The file's text: the same entries always give the same, with one member to a line.
    package var text: String {
        let members =
            [JSONValue.Member("cassette", .number("\(Self.format)"))] + remarks
            + [JSONValue.Member("entries", .array(entries.map(\.json)))]
        return JSONValue.object(members).pretty + "\n"
    }

    /// Writes the file into a folder, which is made where there is none; it is replaced as a whole or not at all.
    package func write(into folder: String) throws(ProviderError) {
        let path = "\(folder)/\(name).json"
        do {
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        } catch {
            throw ProviderError(.file, provider: "", message: "could not write \(path): \(error.systemReason)")
        }
        let code = AtomicFile.write(Array(text.utf8), to: path, mode: 0o644)
        guard code == 0 else {
            let reason = "could not write \(path): \(String(cString: strerror(code)))"
            throw ProviderError(.file, provider: "", message: OwnFile.linkRefusal(path) ?? reason)
        }
    }

    /// Every cassette of a folder by name; none where there is no such folder.
    package static func all(in folder: String) throws(ProviderError) -> [Cassette] {
        // A folder that is not there holds no cassettes; a file that cannot be read is reported below.
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        var cassettes: [Cassette] = []
        for name in names.sorted() where name.hasSuffix(".json") {
            cassettes.append(try Cassette(contentsOf: "\(folder)/\(name)"))
        }
        return cassettes
    }
}

extension Cassette.Entry {
    /// The entry as a file has it.
    fileprivate var json: JSONValue {
        var members: [JSONValue.Member] = []
        if let call = calls.first {
            members.append(JSONValue.Member("call", calls.count == 1 ? call.json : .array(calls.map(\.json))))
        }
        if let stored { return .object(members + (stored.members ?? []).filter { $0.name != "call" }) }
        if let recorded { members.append(JSONValue.Member("recorded", .text(recorded.description))) }
        var request = [
            JSONValue.Member("method", .text(method)), JSONValue.Member("url", .text(url.description)),
        ]
        if let content = StoredContent.member(for: body, isForm: looksLikeForm) { request.append(content) }
        members.append(JSONValue.Member("request", .object(request)))
        var response = [JSONValue.Member("status", .number("\(status)"))]
        if !headers.isEmpty { response.append(JSONValue.Member("headers", .object(combinedHeaders))) }
        if let content = StoredContent.member(for: content, isForm: false) { response.append(content) }
        members.append(JSONValue.Member("response", .object(response)))
        return .object(members)
    }

    /// One member for each name: lines of one name are one list (RFC 9110 §5.3).
    private var combinedHeaders: [JSONValue.Member] {
        var names: [String] = []
        for field in headers where !names.contains(field.name.canonicalName) { names.append(field.name.canonicalName) }
        return names.map { name in
            let values = headers.filter { $0.name.canonicalName == name }.map(\.value)
            return JSONValue.Member(name, .text(values.joined(separator: ", ")))
        }
    }

    /// The same response to another request.
    package func answering(url: WebURL, body: [UInt8]) -> Cassette.Entry {
        let fresh = Cassette.Entry(
            calls: calls, method: method, url: url, body: body, status: status, headers: headers, content: content,
            recorded: recorded)
        guard let stored, let request = fresh.json["request"] else { return fresh }
        let members = (stored.members ?? []).map { $0.name == "request" ? JSONValue.Member("request", request) : $0 }
        return Cassette.Entry(
            calls: calls, method: method, url: url, body: body, status: status, headers: headers, content: content,
            recorded: recorded, stored: .object(members))
    }

    private var looksLikeForm: Bool {
        body.contains(UInt8(ascii: "=")) && !body.contains { $0 <= 0x20 || $0 == UInt8(ascii: "<") }
    }
}

// MARK: - Bodies

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

extension Error {
    /// The system's reason, if there is one: Foundation's description is several lines long.
    package var systemReason: String {
        guard let error = self as? CocoaError, let cause = error.underlying as? POSIXError else { return "\(self)" }
        return String(cString: strerror(cause.code.rawValue))
    }
}
