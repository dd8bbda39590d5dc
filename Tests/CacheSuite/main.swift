import Glibc
import HTTPCaching
import HTTPTransport
import HTTPTypes
import ProviderModel
import Synchronization

// Answers the requests of `run.mjs` through a cache: cache-suite FOLDER
//
// A line of JSON for each request with its `id`, a line for each answer. The requests of one test come one after another,
// those of many tests at once.

/// A header line that may be none: the suite sends what no one should.
func fields(_ json: JSONValue?) -> HTTPFields {
    var fields = HTTPFields()
    for pair in json?.elements ?? [] {
        guard let texts = pair.elements?.compactMap(\.textValue), texts.count == 2, let name = HTTPField.Name(texts[0])
        else { continue }
        fields.append(HTTPField(name: name, value: texts[1]))
    }
    return fields
}

func line(_ members: [JSONValue.Member]) -> [UInt8] { Array((JSONValue.object(members).compact + "\n").utf8) }

guard CommandLine.arguments.count == 2 else { exit(64) }
var settings = TransportSettings(version: "1.0.0")
settings.allowedHosts = try AllowedHosts(["127.0.0.1"])
let store = SQLiteCacheStorage(folder: CommandLine.arguments[1]) { print($0) }
let cache = CachingTransport(over: CurlTransport(settings: settings), store: store)
let output = Mutex(())

@Sendable func answer(_ json: JSONValue) async {
    var members = [JSONValue.Member("id", json["id"] ?? .null)]
    do {
        let request = TransportRequest(
            method: HTTPRequest.Method(json["method"]?.textValue ?? "GET") ?? .get,
            url: try WebURL(json["url"]?.textValue ?? ""), headers: fields(json["headers"]),
            body: Array((json["body"]?.textValue ?? "").utf8))
        let response = try await cache.send(request)
        members.append(JSONValue.Member("status", .number("\(response.status)")))
        let lines = response.headers.map { JSONValue.array([.text($0.name.rawName), .text($0.value)]) }
        members.append(JSONValue.Member("headers", .array(lines)))
        members.append(JSONValue.Member("body", .text(String(decoding: response.body, as: UTF8.self))))
    } catch let error as TransportError where error.code == .connection {
        // RFC 9111 §5.2.2.2: a cache in between would answer so, where a client's throws.
        members.append(JSONValue.Member("status", .number("504")))
        members.append(JSONValue.Member("body", .text(error.message)))
    } catch {
        members.append(JSONValue.Member("error", .text("\(error)")))
    }
    let bytes = line(members)
    output.withLock { _ in _ = write(1, bytes, bytes.count) }
}

await withDiscardingTaskGroup { group in
    while let text = readLine() {
        guard let json = JSONValue.found(in: text.utf8) else { continue }
        group.addTask { await answer(json) }
    }
}
await cache.finish()
