import Synchronization

/// How far a file has come: written on the transport's thread, read whenever somebody looks.
package final class DownloadCounter: Sendable {
    private let received = Atomic(0)
    private let expected = Atomic(-1)
    private let refused = Atomic(false)
    private let shared = Atomic(false)

    private let host: String
    private let whenShared: @Sendable (_ host: String) -> Void

    /// A counter at zero; `whenShared` is called when it turns out that the answers of the host share a connection.
    package init(of host: String = "", whenShared: @escaping @Sendable (_ host: String) -> Void = { _ in }) {
        self.host = host
        self.whenShared = whenShared
    }

    /// Bytes that are there.
    package var bytes: Int { received.load(ordering: .relaxed) }

    /// The file's length; nil where it is unknown.
    package var length: Int? {
        let value = expected.load(ordering: .relaxed)
        return value < 0 ? nil : value
    }

    /// Whether the server pushed back at least once: it is busy, or wants fewer requests.
    var wasRefused: Bool { refused.load(ordering: .relaxed) }

    func noteRefusal() { refused.store(true, ordering: .relaxed) }

    /// Whether the answers of this host share a connection, so that one more costs it none.
    var sharesConnection: Bool { shared.load(ordering: .relaxed) }

    func noteSharing() {
        if !shared.exchange(true, ordering: .relaxed) { whenShared(host) }
    }

    func noteVersion(_ version: String) {
        if version == "2" || version == "3" { noteSharing() }
    }

    func add(_ count: Int) { received.wrappingAdd(count, ordering: .relaxed) }

    func set(_ count: Int) { received.store(count, ordering: .relaxed) }

    func expect(_ length: Int?) { expected.store(length ?? -1, ordering: .relaxed) }
}
