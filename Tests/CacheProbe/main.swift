import Glibc
import HTTPCaching
import HTTPTransport
import HTTPTypes
import ProviderModel
import Synchronization
import TestSupport

// Asks a server for the content of `ProbedContent` through a cache that other processes share, and says for each answer
// whether it was right: cache-probe FOLDER ORIGIN REQUESTS LIMIT
//
// `.` a right answer, `X` a wrong one, `E` none, `W` a warning.

/// A sink that keeps the body, as a download would.
final class KeptBody: BodySink {
    private let bytes = Mutex<[UInt8]>([])

    var text: String { bytes.withLock { String(decoding: $0, as: UTF8.self) } }

    func begin(_ head: ResponseHead, resume: @escaping @Sendable () -> Void) throws(TransportError) {
        bytes.withLock { $0 = [] }
    }

    func write(_ piece: UnsafeRawBufferPointer) throws(TransportError) -> BodyDemand {
        bytes.withLock { $0.append(contentsOf: piece) }
        return .more
    }
}

@Sendable func say(_ letter: String) { _ = letter.withCString { write(1, $0, 1) } }

let arguments = CommandLine.arguments
guard arguments.count == 5, let count = Int(arguments[3]), let limit = Int(arguments[4]) else { exit(64) }
let origin = arguments[2]
var settings = TransportSettings(version: "1.0.0")
settings.allowedHosts = try AllowedHosts(["127.0.0.1"])
let store = SQLiteCacheStorage(folder: arguments[1], limit: limit, busyTimeout: .seconds(20)) { _ in say("W") }
let cache = CachingTransport(over: CurlTransport(settings: settings), store: store)

@Sendable func ask() async {
    let path = "/\(Int.random(in: 0..<ProbedContent.count))"
    let accept = Bool.random() ? "text/plain" : "text/html"
    let sink = Bool.random() ? KeptBody() : nil
    do {
        var request = TransportRequest(url: try WebURL(origin + path), headers: [.accept: accept], scope: .anywhere)
        request.sink = sink
        let answer = try await cache.send(request)
        let text = sink?.text ?? String(decoding: answer.body, as: UTF8.self)
        say(answer.status == 200 && text == ProbedContent.body(of: path, accept: accept) ? "." : "X")
    } catch { say("E") }
}

await withTaskGroup(of: Void.self) { group in
    for number in 0..<count {
        if number >= 8 { await group.next() }
        group.addTask { await ask() }
    }
}
await cache.finish()
