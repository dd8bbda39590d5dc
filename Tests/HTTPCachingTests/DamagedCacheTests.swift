import Foundation
import HTTPTransport
import ProviderModel
import TestSupport
import Testing

@testable import HTTPCaching

/// Whatever happens to the files of a cache, it gives the answers of the origin.
struct DamagedCacheTests {
    /// Answers each path with a body and lines of its own.
    private struct PathOrigin: Transport {
        static func body(_ path: String) -> String {
            // The first lies in a file of its own.
            String(repeating: "answer to \(path) ", count: path == "/0" ? 6_000 : 40)
        }

        func send(_ request: TransportRequest) async throws -> TransportResponse {
            let path = request.url.path
            return TransportResponse(
                status: 200, url: request.url,
                headers: .lines([("Cache-Control", "max-age=900"), ("ETag", "\"\(path)\""), ("X-Path", path)]),
                body: Array(Self.body(path).utf8))
        }
    }

    private static let paths = (0..<8).map { "/\($0)" }
    private let clock = TestClock()

    private func cache(_ store: SQLiteCacheStorage) -> CachingTransport<PathOrigin> {
        CachingTransport(over: PathOrigin(), store: store, settings: CachingSettings()) { [clock] in clock.now }
    }

    private func send(_ path: String, _ cache: CachingTransport<PathOrigin>) async throws -> TransportResponse {
        try await cache.send(TransportRequest(url: try WebURL("http://origin.example" + path), scope: .anywhere))
    }

    @Test(arguments: [false, true])
    func damagedCacheGivesTheAnswersOfTheOrigin(wasKilled: Bool) async throws {
        let folder = TemporaryFolder()
        let store = SQLiteCacheStorage(folder: folder.path + "/cache")
        let whole = cache(store)
        for path in Self.paths {
            // The first ones are in the file, the others in its log, where there is one.
            if path == "/3" { store.close() }
            let receipt = try #require(try await send(path, whole).receipt)
            let values = DerivedValues(in: store)
            values.store(Array("of \(path)".utf8), for: Array(path.utf8), derivedFrom: [receipt], now: clock.now)
        }
        if !wasKilled { store.close() }
        let names = FolderListing.allFiles(under: folder.path).filter { !$0.hasSuffix(".lock") }
        #expect(names.contains { $0.hasSuffix("-wal") } == wasKilled)
        let files = try names.map { ($0, try Data(contentsOf: URL(filePath: $0))) }
        store.close()
        var generator = SeededGenerator(seed: 7)
        for round in 0..<Damage.rounds {
            try? FileManager.default.removeItem(atPath: folder.path + "/cache")
            let isDatabase = Int.random(in: 0..<4, using: &generator) != 0
            let hit = files.filter { $0.0.contains("cache.sqlite") == isDatabase }.randomElement(using: &generator)?.0
            for (name, data) in files {
                let isHit = name == hit
                let bytes = isHit ? Damage.change(Array(data), using: &generator) : Array(data)
                try FileManager.default.createDirectory(
                    at: URL(filePath: name).deletingLastPathComponent(), withIntermediateDirectories: true)
                try Data(bytes).write(to: URL(filePath: name))
            }
            try await check(round, in: folder)
        }
    }

    private func check(_ round: Int, in folder: TemporaryFolder) async throws {
        let warnings = WarningLog()
        let store = SQLiteCacheStorage(folder: folder.path + "/cache") { warnings.add($0) }
        let cache = cache(store)
        let values = DerivedValues(in: store)
        // What is listed of a damaged cache may be an error, and never ends the program.
        _ = try? (store.list(), store.summary())
        // Twice: what was lost the first time is stored again.
        for path in Self.paths + Self.paths {
            let value = values.value(for: Array(path.utf8), now: clock.now)
            try #require(value == nil || value == Array("of \(path)".utf8), "round \(round)")
            let response = try await send(path, cache)
            try #require(response.status == 200 && response.text == PathOrigin.body(path), "round \(round)")
            try #require(response.headers[line: "X-Path"] == path, "round \(round): \(response.headers)")
            try #require(response.headers[line: "ETag"] == "\"\(path)\"" && !response.isStale, "round \(round)")
        }
        #expect(warnings.texts.count <= 1, "round \(round): \(warnings.texts)")
        store.close()
    }
}
