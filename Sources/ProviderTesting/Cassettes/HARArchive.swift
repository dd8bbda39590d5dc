import FoundationEssentials
import HTTPTypes
import ProviderModel

/// What a browser or a proxy has written down, as HAR 1.2 (http://www.softwareishard.com/blog/har-12-spec/).
package struct HARArchive: Sendable {
    /// An exchange that was not taken over, and why.
    package struct Skipped: Hashable, Sendable, CustomStringConvertible {
        /// `log.entries[3]`.
        package var place: String
        /// Why.
        package var reason: String

        package var description: String { "\(place): \(reason)" }
    }

    /// The exchanges with the wanted hosts, masked like a recording.
    package private(set) var entries: [Cassette.Entry] = []
    /// The others.
    package private(set) var skipped: [Skipped] = []

    /// Reads an archive, of which only exchanges with `hosts` are taken; `redaction` masks what is secret.
    package init(
        parsing bytes: [UInt8], hosts: [HostPattern], redaction: CassetteRedaction = CassetteRedaction()
    ) throws(InvalidJSON) {
        let json = try JSONValue(parsing: bytes)
        guard let exchanges = json["log"]?["entries"]?.elements else {
            throw InvalidJSON(description: "expected log.entries, as HAR 1.2 has it")
        }
        for (index, exchange) in exchanges.enumerated() {
            do throws(Skipped) {
                entries.append(try Self.entry(exchange, at: "log.entries[\(index)]", hosts, redaction))
            } catch {
                skipped.append(error)
            }
        }
    }

    private static func entry(
        _ exchange: JSONValue, at place: String, _ hosts: [HostPattern], _ redaction: CassetteRedaction
    ) throws(Skipped) -> Cassette.Entry {
        let request = exchange["request"], response = exchange["response"]
        let url: WebURL
        do throws(InvalidURL) { url = try WebURL(request?["url"]?.textValue ?? "") } catch {
            throw Skipped(place: place, reason: "its URL is \(error)")
        }
        guard hosts.contains(where: { $0.matches(url) }) else {
            throw Skipped(place: place, reason: "\(url.host) is not among the provider's hosts")
        }
        guard let status = response?["status"]?.integerValue, (100...599).contains(status) else {
            throw Skipped(place: place, reason: "it has no answer")
        }
        let content = response?["content"]
        guard let body = Self.bytes(of: content) else {
            throw Skipped(place: place, reason: "its body is not in the archive; save it “with content”")
        }
        return redaction.entry(
            method: request?["method"]?.textValue ?? "GET", url: url, body: Self.sentBody(request?["postData"]),
            status: status, headers: Self.headers(response?["headers"]), content: body,
            recorded: exchange["startedDateTime"]?.textValue.flatMap { CalendarDay($0) })
    }

    private static func bytes(of content: JSONValue?) -> [UInt8]? {
        guard let text = content?["text"]?.textValue else { return content?["size"]?.integerValue ?? 0 > 0 ? nil : [] }
        guard content?["encoding"]?.textValue == "base64" else { return Array(text.utf8) }
        return Data(base64Encoded: text).map(Array.init)
    }

    private static func sentBody(_ data: JSONValue?) -> [UInt8] {
        if let text = data?["text"]?.textValue { return Array(text.utf8) }
        let pairs = (data?["params"]?.elements ?? []).compactMap { pair in
            pair["name"]?.textValue.map { NamedValue($0, pair["value"]?.textValue ?? "") }
        }
        return Array(
            pairs.map { "\(PercentEncoding.encode($0.name))=\(PercentEncoding.encode($0.value))" }
                .joined(separator: "&").utf8)
    }

    private static func headers(_ json: JSONValue?) -> HTTPFields {
        var fields = HTTPFields()
        for line in json?.elements ?? [] {
            // HTTP/2 archives list `:status` among the headers, which is none.
            guard let name = line["name"]?.textValue.flatMap({ HTTPField.Name($0) }),
                let value = line["value"]?.textValue
            else { continue }
            fields.append(HTTPField(name: name, value: value))
        }
        return fields
    }
}

extension HARArchive.Skipped: Error {}
