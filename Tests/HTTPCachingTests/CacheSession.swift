import HTTPTransport
import HTTPTypes
import ProviderModel
import Synchronization
import TestSupport

@testable import HTTPCaching

/// A cache over an origin that answers from a list, with a clock that only the test moves.
final class CacheSession: Sendable {
    let origin: Origin
    let clock = TestClock()
    let store: SQLiteCacheStorage
    let cache: CachingTransport<Origin>
    let warnings = WarningLog()
    private let folder: TemporaryFolder

    init(
        _ replies: [Origin.Reply] = [],
        settings: CachingSettings = CachingSettings(),
        limit: Int = SQLiteCacheStorage.defaultLimit,
        in folder: TemporaryFolder = TemporaryFolder()
    ) {
        self.folder = folder
        origin = Origin(replies, clock: clock)
        store = SQLiteCacheStorage(folder: folder.path + "/cache", limit: limit) { [warnings] in warnings.add($0) }
        cache = CachingTransport(over: origin, store: store, settings: settings) { [clock] in clock.now }
    }

    /// Sends a request; `headers` are lines as they are written, several of a name in order.
    @discardableResult
    func send(
        _ method: HTTPRequest.Method = .get,
        _ path: String = "/",
        _ headers: [(String, String)] = [],
        change: (inout TransportRequest) -> Void = { _ in }
    ) async throws -> TransportResponse {
        var request = TransportRequest(
            method: method,
            url: try WebURL("http://origin.example" + path),
            headers: .lines(headers),
            scope: .anywhere
        )
        change(&request)
        return try await cache.send(request)
    }

    /// Returns once so many requests wait for another one's answer.
    func waiting(_ count: Int) async {
        while cache.shared.waitingCount < count { await Task.yield() }
    }

    /// A date header's value, so many seconds from now.
    func date(_ offset: Int = 0) -> String { DateTime(secondsSince1970: Int(clock.now) + offset).http }
}

final class TestClock: Sendable {
    private let time = Mutex(1_800_000_000.0)

    var now: Double { time.withLock(\.self) }

    func advance(_ seconds: Double) { time.withLock { $0 += seconds } }
}

final class WarningLog: Sendable {
    private let kept = Mutex<[String]>([])

    var texts: [String] { kept.withLock(\.self) }

    func add(_ text: String) { kept.withLock { $0.append(text) } }
}

extension HTTPFields {
    /// Lines as they are written; a value that is a whole number is taken for a date so many seconds from `now`.
    static func lines(_ lines: [(String, String)]) -> HTTPFields {
        var fields = HTTPFields()
        for (name, value) in lines { fields.append(HTTPField(name: HTTPField.Name(name)!, value: value)) }
        return fields
    }

    /// The values of a name that has no constant.
    subscript(line name: String) -> String? { self[HTTPField.Name(name)!] }
}

extension TransportResponse {
    var text: String { String(decoding: body, as: UTF8.self) }

    /// Whether the server was not asked.
    var isCached: Bool {
        if case .cache = origin { return true }
        return false
    }

    /// Whether it is marked as no longer fresh.
    var isStale: Bool { if case .cache(_, true) = origin { true } else { false } }
}
