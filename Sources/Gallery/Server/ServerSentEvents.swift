import Hummingbird
import ProviderModel

/// One of the events that a page reads as they happen (HTML Standard §9.2).
struct ServerSentEvent: Sendable {
    let name: String
    let data: JSONText

    init(_ name: String, _ data: JSONText) {
        self.name = name
        self.data = data
    }

    /// An event with an object.
    init(_ name: String, _ write: (inout JSONWriter) -> Void) {
        var json = JSONWriter()
        json.object(write)
        self.init(name, JSONText(validated: json.text))
    }

    /// JSON has no line breaks, so that one line of data holds it.
    fileprivate var bytes: ByteBuffer { ByteBuffer(string: "event: \(name)\ndata: \(data)\n\n") }
}

extension Response {
    /// An answer of events; `produce` runs until it ends or the client goes.
    ///
    /// `onEnd` is called in any case, once.
    static func events(
        _ context: GalleryContext, onEnd: @escaping @Sendable () -> Void = {},
        _ produce: @escaping @Sendable (AsyncStream<ServerSentEvent>.Continuation) async throws -> Void
    ) -> Response {
        Response(
            status: .ok,
            headers: [
                .contentType: "text/event-stream", .cacheControl: "no-store",
                // nginx would keep the events until a buffer is full.
                .init("X-Accel-Buffering")!: "no",
            ],
            body: ResponseBody { writer in
                defer { onEnd() }
                let (events, continuation) = AsyncStream.makeStream(of: ServerSentEvent.self)
                async let production: Void = context.untilDisconnect {
                    defer { continuation.finish() }
                    try await produce(continuation)
                }
                for await event in events { try await writer.write(event.bytes) }
                try await production
                try await writer.finish(nil)
            })
    }
}
