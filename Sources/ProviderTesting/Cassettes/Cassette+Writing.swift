import FoundationEssentials
import HTTPTypes
import ProviderModel

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
