import FoundationEssentials
import HTTPTypes
import ProviderModel

extension Cassette {
    /// The format this version reads and writes.
    static let format = 1

    /// Reads a cassette from its file.
    package init(contentsOf path: String) throws(CassetteError) {
        let data: Data
        do { data = try Data(contentsOf: URL(filePath: path)) } catch {
            throw CassetteError(path: path, reason: "cannot be read: \(error.systemReason)")
        }
        let file = path.split(separator: "/").last.map(String.init) ?? path
        let name = file.hasSuffix(".json") ? String(file.dropLast(5)) : file
        let json: JSONValue
        do throws(InvalidJSON) { json = try JSONValue(parsing: data) } catch {
            throw CassetteError(path: path, reason: "is no JSON: \(error)")
        }
        do throws(InvalidJSON) { try self.init(named: name, json) } catch {
            throw CassetteError(path: path, reason: "is no cassette: \(error)")
        }
    }

    /// Reads a cassette from its JSON.
    package init(named name: String, _ json: JSONValue) throws(InvalidJSON) {
        guard let members = json.members, let format = json["cassette"] else {
            throw InvalidJSON(description: "expected an object with “cassette”: \(Self.format)")
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
        self.init(
            method: request["method"]?.textValue ?? "GET", url: url,
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

extension Cassette {
    /// The file's text: the same entries always give the same, with one member to a line.
    package var text: String {
        let members =
            [JSONValue.Member("cassette", .number("\(Self.format)"))] + remarks
            + [JSONValue.Member("entries", .array(entries.map(\.json)))]
        return JSONValue.object(members).pretty + "\n"
    }

    /// Writes the file into a folder, which is made where there is none; it is replaced as a whole or not at all.
    package func write(into folder: String) throws(CassetteError) {
        let path = "\(folder)/\(name).json"
        do {
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
            try Data(text.utf8).write(to: URL(filePath: path), options: .atomic)
        } catch {
            throw CassetteError(path: path, reason: "cannot be written: \(error.systemReason)")
        }
    }

    /// Every cassette of a folder by name; none where there is no such folder.
    package static func all(in folder: String) throws(CassetteError) -> [Cassette] {
        // A folder that is not there holds no cassettes; a file that cannot be read is told of below.
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
        if let stored { return stored }
        var members: [JSONValue.Member] = []
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

    private var looksLikeForm: Bool {
        body.contains(UInt8(ascii: "=")) && !body.contains { $0 <= 0x20 || $0 == UInt8(ascii: "<") }
    }
}
