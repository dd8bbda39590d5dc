// What an answer from the cache costs with many stored, beside a bare look-up of the same rows in SQLite.

import Foundation
import HTTPCaching
import HTTPTransport
import HTTPTypes
import LocalDatabase
import ProviderModel
import Synchronization

/// Answers every request with a page as sources send them.
struct PageOrigin: Transport {
    let body: [UInt8]

    func send(_ request: TransportRequest) async throws -> TransportResponse {
        var headers = HTTPFields()
        headers[.cacheControl] = "max-age=86400"
        headers[.contentType] = "application/json"
        headers[.eTag] = "\"5f3c\""
        return TransportResponse(status: 200, url: request.url, headers: headers, body: body)
    }
}

/// Sends so many bytes into the request's sink, as a download would come.
struct DownloadOrigin: Transport {
    let length: Int

    func send(_ request: TransportRequest) async throws -> TransportResponse {
        var headers = HTTPFields()
        headers[.cacheControl] = "max-age=86400"
        try request.sink?.begin(ResponseHead(status: 200, headers: headers)) {}
        let piece = [UInt8](repeating: 7, count: 64 << 10)
        for _ in 0..<length / piece.count { _ = try piece.withUnsafeBytes { try request.sink?.write($0) } }
        return TransportResponse(status: 200, url: request.url, headers: headers)
    }
}

/// A sink that only counts.
final class CountingSink: BodySink {
    let count = Atomic(0)

    func begin(_ head: ResponseHead, resume: @escaping @Sendable () -> Void) throws(TransportError) {}

    func write(_ bytes: UnsafeRawBufferPointer) throws(TransportError) -> BodyDemand {
        count.add(bytes.count, ordering: .relaxed)
        return .more
    }
}

/// The most memory this process has had, in MiB.
func peakMemory() -> Int {
    var usage = rusage()
    getrusage(Int32(RUSAGE_SELF.rawValue), &usage)
    return usage.ru_maxrss >> 10
}

func request(_ number: Int) throws -> TransportRequest {
    TransportRequest(url: try WebURL("https://api.example/search?q=coffee&page=\(number)"), scope: .anywhere)
}

func report(_ name: String, _ times: [Double]) {
    let sorted = times.sorted()
    let median = String(format: "%8.1f", sorted[sorted.count / 2] * 1e6)
    let late = String(format: "%8.1f", sorted[sorted.count * 99 / 100] * 1e6)
    print("\(name.padding(toLength: 44, withPad: " ", startingAt: 0)) median \(median) µs, p99 \(late) µs")
}

func seconds(_ work: () async throws -> Void) async rethrows -> Double {
    let start = ContinuousClock.now
    try await work()
    return start.duration(to: .now) / .seconds(1)
}

do {
    let folder = FileManager.default.temporaryDirectory.path + "/cache-benchmark-large-\(getpid())"
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let store = SQLiteCacheStorage(folder: folder) { print("warning: \($0)") }
    let cache = CachingTransport(over: DownloadOrigin(length: 200 << 20), store: store)
    for name in ["stored", "from the cache"] {
        let sink = CountingSink()
        var asked = try request(0)
        asked.sink = sink
        let time = try await seconds { _ = try await cache.send(asked) }
        let megabytes = sink.count.load(ordering: .relaxed) >> 20
        print("\(megabytes) MiB \(name) in \(String(format: "%.2f", time)) s, peak memory \(peakMemory()) MiB")
    }
}

let count = CommandLine.arguments.dropFirst().first.flatMap { Int($0) } ?? 100_000
let hits = 5_000
let folder = FileManager.default.temporaryDirectory.path + "/cache-benchmark-\(getpid())"
defer { try? FileManager.default.removeItem(atPath: folder) }
let body = [UInt8](repeating: UInt8(ascii: "x"), count: 4_096)
let limit = 4 << 30

do {
    let store = SQLiteCacheStorage(folder: folder, limit: limit) { print("warning: \($0)") }
    let cache = CachingTransport(over: PageOrigin(body: body), store: store)
    let filling = try await seconds { for number in 0..<count { _ = try await cache.send(try request(number)) } }
    print("stored \(count) answers of \(body.count) bytes in \(String(format: "%.1f", filling)) s")
    await cache.finish()
}

var generator = SystemRandomNumberGenerator()
let numbers = (0..<hits).map { _ in Int.random(in: 0..<count, using: &generator) }
let store = SQLiteCacheStorage(folder: folder, limit: limit) { print("warning: \($0)") }
let cache = CachingTransport(over: PageOrigin(body: []), store: store)
let first = try await seconds { _ = try await cache.send(try request(0)) }
print("first answer, the database opened with it: \(String(format: "%.1f", first * 1e6)) µs")

var cached: [Double] = []
for number in numbers {
    let asked = try request(number)
    cached.append(
        try await seconds {
            let answer = try await cache.send(asked)
            guard case .cache = answer.origin, answer.body.count == body.count else { fatalError("not a hit") }
        }
    )
}
report("answer from the cache", cached)

let database = try LocalDatabase(path: folder + "/cache.sqlite", schema: .cache)
let ids = try database.readOnce { try Int64.fetchAll($0, sql: "SELECT id FROM entry ORDER BY id") }
var bare: [Double] = []
for number in numbers {
    let id = ids[number]
    bare.append(
        try await seconds {
            let found = try database.readOnce { database in
                let sql = "SELECT fields, bytes FROM entry JOIN body ON body.entry = entry.id WHERE entry.id = ?"
                return try Row.fetchOne(database.cachedStatement(sql: sql), arguments: [id])
            }
            guard found != nil else { fatalError("no such row") }
        }
    )
}
report("bare look-up of the row and its body", bare)

let derived = DerivedValues(in: store)
let receipt = try await cache.send(try request(1)).receipt!
derived.store(body, for: Array("page".utf8), derivedFrom: [receipt], now: WallClock.now)
var values: [Double] = []
for _ in 0..<hits {
    values.append(
        await seconds { if derived.value(for: Array("page".utf8), now: WallClock.now) == nil { fatalError("lost") } }
    )
}
report("derived value", values)
