/// Anything that answers HTTP requests: the network, a cache in front of it, recorded answers in a test.
public protocol Transport: Sendable {
    /// Returns the answer, whatever its status; throws `TransportError` or `CancellationError`.
    nonisolated(nonsending) func send(_ request: TransportRequest) async throws -> TransportResponse
}
