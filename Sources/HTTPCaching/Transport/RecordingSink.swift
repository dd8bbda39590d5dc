import HTTPTransport
import Synchronization

/// Passes a body to the caller's sink and stores a copy.
final class RecordingSink: BodySink {
    private struct State {
        var isRecording = false
        var streamedCheck: StreamedSecretCheck
    }

    let writer: BodyWriter
    private let sink: any BodySink
    private let isWorthRecording: @Sendable (ResponseHead) -> Bool
    private let secrets: SecretCheck
    private let state: Mutex<State>

    /// `isWorthRecording` says whether a response may be stored at all.
    init(
        _ sink: any BodySink,
        writer: BodyWriter,
        secrets: SecretCheck,
        isWorthRecording: @escaping @Sendable (ResponseHead) -> Bool
    ) {
        self.sink = sink
        self.writer = writer
        self.secrets = secrets
        self.isWorthRecording = isWorthRecording
        state = Mutex(State(streamedCheck: secrets.streamed))
    }

    /// Whether the whole body was recorded and repeats no secret.
    var hasRecorded: Bool { state.withLock { $0.isRecording && !$0.streamedCheck.hasFound } }

    func begin(_ head: ResponseHead, resume: @escaping @Sendable () -> Void) throws(TransportError) {
        writer.discard()
        let isRecording = isWorthRecording(head)
        state.withLock { $0 = State(isRecording: isRecording, streamedCheck: secrets.streamed) }
        try sink.begin(head, resume: resume)
    }

    func write(_ bytes: UnsafeRawBufferPointer) throws(TransportError) -> BodyDemand {
        let demand = try sink.write(bytes)
        // A piece that was refused comes again.
        guard demand == .more else { return demand }
        let isRecording = state.withLock { state in
            if state.isRecording { state.streamedCheck.take(bytes) }
            return state.isRecording
        }
        if isRecording { writer.write(bytes) }
        return demand
    }
}
