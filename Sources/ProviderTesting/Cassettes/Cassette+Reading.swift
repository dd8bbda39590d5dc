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
    init(named name: String, _ json: JSONValue) throws(InvalidJSON) {
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
