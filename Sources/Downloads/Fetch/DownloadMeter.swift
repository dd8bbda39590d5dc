import Synchronization

/// How far a file has come: written on the transport's thread, may be read at any time.
public final class DownloadMeter: Sendable {
    private let received = Atomic(0)
    private let expected = Atomic(-1)
    private let refused = Atomic(false)
    private let shared = Atomic(false)
    private let whenShared: @Sendable () -> Void

    /// A meter at zero; `whenShared` is called when it turns out that the host's answers share a connection.
    init(whenShared: @escaping @Sendable () -> Void = {}) { self.whenShared = whenShared }

    /// The bytes that have come.
    public var bytes: Int { received.load(ordering: .relaxed) }

    /// The file's length; nil where it is unknown.
    public var length: Int? {
        let value = expected.load(ordering: .relaxed)
        return value < 0 ? nil : value
    }

    /// Whether the server pushed back at least once: it is busy, or wants fewer requests.
    var wasRefused: Bool { refused.load(ordering: .relaxed) }

    func noteRefusal() { refused.store(true, ordering: .relaxed) }

    /// Whether the answers of the host share a connection, so that one more costs it none.
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
