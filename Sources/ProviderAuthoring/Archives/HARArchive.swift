import FoundationEssentials
import HTTPTypes
import ProviderModel
import ProviderRuntime
import ProviderTesting

/// A HAR 1.2 archive of a browser or a proxy (http://www.softwareishard.com/blog/har-12-spec/).
package struct HARArchive: Sendable {
    /// Why an exchange was not taken over.
    package enum Omission: Hashable, Sendable, CustomStringConvertible {
        /// It went to another host.
        case host(String)
        /// It was broken off, or came from the browser itself.
        case noAnswer
        /// The archive was saved without bodies.
        case noBody
        /// The archive has the body as it was sent, compressed: secrets in it cannot be masked.
        case packedBody
        /// What was asked is no URL of the web.
        case noURL(String)

        package var description: String {
            switch self {
            case .host(let host): "\(host) is not among the provider's hosts"
            case .noAnswer: "it has no response"
            case .noBody: "its body is not in the archive; save the archive \"with content\""
            case .packedBody: "its body is compressed in the archive; save the archive from a browser"
            case .noURL(let reason): "its URL is \(reason)"
            }
        }
    }

    /// The exchanges with the wanted hosts, masked like a recording.
    package var entries: [Cassette.Entry] = []
    /// The others, by their index.
    package private(set) var omitted: [(index: Int, omission: Omission)] = []

    /// Reads an archive, of which only exchanges with `hosts` are taken; `redaction` masks what is secret.
    package init(
        parsing bytes: [UInt8], hosts: [HostPattern], redaction: CassetteRedaction = CassetteRedaction()
    ) throws(InvalidJSON) {
        let exchanges = try Self.exchanges(in: try JSONValue(parsing: bytes))
        let secrets = HARSecrets(of: exchanges, redaction)
        let redaction = redaction.masking(secrets.texts)
        for (index, exchange) in exchanges.enumerated() {
            switch try Self.entry(exchange, at: "log.entries[\(index)]", hosts, secrets, redaction) {
            case .success(let entry): entries.append(entry)
            case .failure(let omission): omitted.append((index, omission))
            }
        }
    }

    private static func exchanges(in json: JSONValue) throws(InvalidJSON) -> [JSONValue] {
        guard json.members != nil else { throw .expected("a HAR object with log.entries", at: "$", found: json) }
        guard let log = json["log"], log.members != nil else {
            throw .expected("an object", at: "log", found: json["log"])
        }
        guard let exchanges = log["entries"]?.elements else {
            throw .expected("a list", at: "log.entries", found: log["entries"])
        }
        return exchanges
    }

    private static func entry(
        _ exchange: JSONValue, at place: String, _ hosts: [HostPattern], _ secrets: HARSecrets,
        _ redaction: CassetteRedaction
    ) throws(InvalidJSON) -> Result<Cassette.Entry, Omission> {
        guard let request = exchange["request"], request.members != nil else {
            throw .expected("an object", at: "\(place).request", found: exchange["request"])
        }
        guard let address = request["url"]?.textValue else {
            throw .expected("a string", at: "\(place).request.url", found: request["url"])
        }
        let url: WebURL
        do throws(InvalidURL) { url = try WebURL(address) } catch { return .failure(.noURL("\(error)")) }
        guard hosts.contains(where: { $0.matches(url) }) else { return .failure(.host(url.host)) }
        guard let response = exchange["response"], response.members != nil else {
            throw .expected("an object", at: "\(place).response", found: exchange["response"])
        }
        guard let status = response["status"]?.integerValue else {
            throw .expected("a status such as 200", at: "\(place).response.status", found: response["status"])
        }
        guard (100...599).contains(status) else { return .failure(.noAnswer) }
        guard let body = Self.bytes(of: response["content"]) else { return .failure(.noBody) }
        let headers = Self.headers(response["headers"])
        guard !Self.isPacked(body, headers) else { return .failure(.packedBody) }
        return .success(
            redaction.entry(
                method: request["method"]?.textValue ?? "GET", url: secrets.masked(url),
                body: secrets.masked(body: Self.sentBody(request["postData"])), status: status, headers: headers,
                content: body, recorded: exchange["startedDateTime"]?.textValue.flatMap { CalendarDay($0) }))
    }

    private static func bytes(of content: JSONValue?) -> [UInt8]? {
        guard let text = content?["text"]?.textValue else { return content?["size"]?.integerValue ?? 0 > 0 ? nil : [] }
        guard content?["encoding"]?.textValue == "base64" else { return Array(text.utf8) }
        return Data(base64Encoded: text).map(Array.init)
    }

    /// Browsers decompress the bodies that they save; some proxies do not, and keep `Content-Encoding`.
    private static func isPacked(_ body: [UInt8], _ headers: HTTPFields) -> Bool {
        guard let coding = headers[.contentEncoding]?.lowercased(), !body.isEmpty, coding != "identity" else {
            return false
        }
        return body.starts(with: [0x1f, 0x8b]) || body.starts(with: [0x28, 0xb5, 0x2f, 0xfd])
            || headers[.contentType]?.hasPrefix("image/") != true && String(validating: body, as: UTF8.self) == nil
    }

    /// What a request sent, as bytes.
    static func sentBody(_ data: JSONValue?) -> [UInt8] {
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

extension HARArchive.Omission: Error {}

extension InvalidJSON {
    fileprivate static func expected(_ expectation: String, at place: String, found: JSONValue?) -> InvalidJSON {
        InvalidJSON(description: "\(place): expected \(expectation), found \(found.map(\.preview) ?? "nothing")")
    }
}
