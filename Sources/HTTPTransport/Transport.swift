/// A type that answers HTTP requests: the network, a cache in front of it, recorded responses in a test.
public protocol Transport: Sendable {
    /// Sends a request.
    ///
    /// - Parameter request: the request.
    /// - Returns: the response, whatever its status.
    /// - Throws: ``TransportError`` when there is no response; `CancellationError` when the task is cancelled.
    nonisolated(nonsending) func send(_ request: TransportRequest) async throws -> TransportResponse
}

/// The destination of a response's body, chunk by chunk: a buffer, a file, a hash.
///
/// Calls come one after another on the transport's own thread, and must not block: a sink that cannot take more returns
/// ``BodyDemand/pause`` and calls `resume` when it can.
public protocol BodySink: Sendable {
    /// Receives the head of the response; a request that is sent again begins anew, and former chunks are void.
    ///
    /// - Parameters:
    ///   - head: status and header lines.
    ///   - resume: continues after ``BodyDemand/pause``; may be called from any thread.
    /// - Throws: ``TransportError``, with which the transfer ends.
    func begin(_ head: ResponseHead, resume: @escaping @Sendable () -> Void) throws(TransportError)

    /// Receives a chunk.
    ///
    /// - Parameter bytes: decoded bytes of the body, valid during the call only.
    /// - Returns: whether the chunk was taken.
    /// - Throws: ``TransportError``, with which the transfer ends.
    func write(_ bytes: UnsafeRawBufferPointer) throws(TransportError) -> BodyDemand
}

/// The result of ``BodySink/write(_:)``.
public enum BodyDemand: Sendable {
    /// The chunk was taken, and the next may follow.
    case more
    /// The chunk was not taken; it is delivered again after `resume`.
    case pause
}
