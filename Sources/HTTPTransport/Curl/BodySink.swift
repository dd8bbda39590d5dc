/// Where the body of an answer goes, chunk by chunk, on the transport's own thread: a buffer, a file, a hash.
///
/// Calls come one after another, never at the same time. They must not block: a sink that cannot take more
/// says `.pause` and calls `resume` when it can.
public protocol BodySink: Sendable {
    /// Hears that the request goes out, and whether other requests may share its connection, as far as that is known
    /// before the answer.
    func connected(isShared: Bool)

    /// Takes the head of the answer; a request that is sent again begins anew, and what came before counts no more.
    ///
    /// `resume` continues after a pause and may be called from any thread.
    func begin(_ head: ResponseHead, resume: @escaping @Sendable () -> Void) throws(TransportError)

    /// Takes a chunk, or refuses it for now.
    func write(_ bytes: UnsafeRawBufferPointer) throws(TransportError) -> BodyDemand
}

extension BodySink {
    /// Most need not know.
    public func connected(isShared: Bool) {}
}

/// What a sink says to a chunk.
public enum BodyDemand: Sendable {
    /// The chunk was taken, the next may come.
    case more
    /// The chunk was not taken; it comes again after `resume`.
    case pause
}
