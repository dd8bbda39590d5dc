import Synchronization

/// The progress of a file; may be read at any time from any thread.
public final class DownloadMeter: Sendable {
    private let received = Atomic(0)
    private let expected = Atomic(-1)
    private let refused = Atomic(false)
    private let shared = Atomic(false)
    private let whenShared: @Sendable () -> Void

    /// A meter at zero; `whenShared` is called when it turns out that the host's answers share a connection.
    init(whenShared: @escaping @Sendable () -> Void = {}) { self.whenShared = whenShared }

    /// The number of bytes received.
    public var bytes: Int { received.load(ordering: .relaxed) }

    /// The file's length in bytes; nil while unknown.
    public var length: Int? {
        let value = expected.load(ordering: .relaxed)
        return value < 0 ? nil : value
    }

    /// Whether the server refused a request because of load or a rate limit.
    var wasRefused: Bool { refused.load(ordering: .relaxed) }

    func noteRefusal() { refused.store(true, ordering: .relaxed) }

    /// Whether responses of the host share a connection, so that one more needs no new one.
    var sharesConnection: Bool { shared.load(ordering: .relaxed) }

    func noteSharing() {
        if !shared.exchange(true, ordering: .relaxed) { whenShared() }
    }

    func noteVersion(_ version: String) {
        if version == "2" || version == "3" { noteSharing() }
    }

    func add(_ count: Int) { received.wrappingAdd(count, ordering: .relaxed) }

    func set(_ count: Int) { received.store(count, ordering: .relaxed) }

    func expect(_ length: Int?) { expected.store(length ?? -1, ordering: .relaxed) }
}
