import Hummingbird
import NIOCore
import Synchronization

/// Notices that a client has disconnected, even while nothing is written to it, so that its work is cancelled.
final class DisconnectHandler: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = NIOAny

    let disconnect = ClientDisconnect()

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        // A client that closes its half of the connection sends nothing more; browsers and curl close both at once.
        if let event = event as? ChannelEvent, event == .inputClosed { disconnect.occur() }
        context.fireUserInboundEventTriggered(event)
    }

    func channelInactive(context: ChannelHandlerContext) {
        disconnect.occur()
        context.fireChannelInactive()
    }
}

/// The end of a connection by its client, which tasks can be cancelled by.
final class ClientDisconnect: Sendable {
    private struct State {
        var hasOccurred = false
        var listeners: [Int: @Sendable () -> Void] = [:]
        var nextListener = 0
    }

    private let state = Mutex(State())

    func occur() {
        let listeners = state.withLock { state in
            state.hasOccurred = true
            defer { state.listeners = [:] }
            return Array(state.listeners.values)
        }
        for listener in listeners { listener() }
    }

    /// Calls a closure when the client goes, at once when it has gone; nil when that was so.
    fileprivate func listen(_ listener: @escaping @Sendable () -> Void) -> Int? {
        let number: Int? = state.withLock { state in
            guard !state.hasOccurred else { return nil }
            state.nextListener += 1
            state.listeners[state.nextListener] = listener
            return state.nextListener
        }
        if number == nil { listener() }
        return number
    }

    fileprivate func ignore(_ number: Int) { state.withLock { _ = $0.listeners.removeValue(forKey: number) } }
}

extension GalleryContext {
    /// Runs work that is cancelled when the client goes before its end.
    func untilDisconnect<Value: Sendable>(_ work: @escaping @Sendable () async throws -> Value) async throws -> Value {
        let disconnect = try await channel.pipeline.handler(type: DisconnectHandler.self).map(\.disconnect).get()
        let task = Task { try await work() }
        let number = disconnect.listen { task.cancel() }
        defer { if let number { disconnect.ignore(number) } }
        return try await withTaskCancellationHandler {
            try await task.value
        } onCancel: {
            task.cancel()
        }
    }
}
