/// Anything that answers HTTP requests: the network, a cache in front of it, recorded responses in a test.
public protocol Transport: Sendable {
    /// Returns the response, whatever its status; throws `TransportError` or `CancellationError`.
    nonisolated(nonsending) func send(_ request: TransportRequest) async throws -> TransportResponse
}

/// Where the body of a response goes, chunk by chunk, on the transport's own thread: a buffer, a file, a hash.
///
/// Calls come one after another, never at the same time. They must not block: a sink that cannot take more
/// returns `.pause` and calls `resume` when it can.
public protocol BodySink: Sendable {
    /// Takes the head of the response; a request that is sent again begins anew, and what came before counts no more.
    ///
    /// `resume` continues after a pause and may be called from any thread.
    func begin(_ head: ResponseHead, resume: @escaping @Sendable () -> Void) throws(TransportError)

    /// Takes a chunk, or refuses it for now.
    func write(_ bytes: UnsafeRawBufferPointer) throws(TransportError) -> BodyDemand
}

/// What a sink returns for a chunk.
public enum BodyDemand: Sendable {
    /// The chunk was taken, the next may come.
    case more
    /// The chunk was not taken; it comes again after `resume`.
    case pause
}
