import ProviderModel
import WorkerProtocol

/// One worker, talked to one step at a time: calls first, else in the order asked.
///
/// `@unchecked Sendable`: `conversation` is touched on `queue`, and by a caller's thread while `queue` holds back what
/// would get there.
final class WorkerConnection: @unchecked Sendable {
    typealias Reply = WorkerConversation.Reply
    typealias Handlers = WorkerConversation.Handlers

    /// How long a caller's own thread waits for a reply before the queue's does.
    ///
    /// A page of 20 items takes a quarter of it. Waking two threads, one to wait and one to go on, takes longer than reading
    /// such a page, and a thread of the Swift runtime is kept no longer than by any other work on a large one.
    private static let patience = Duration.milliseconds(1)

    private let queue = StepQueue()
    private let conversation: WorkerConversation

    /// Starts the process at once, without waiting for it.
    init(settings: WorkerSettings) {
        conversation = WorkerConversation(settings: settings)
        enqueue { $0.start() }
    }

    /// Takes over a process that was started with the memory of these settings.
    init(settings: WorkerSettings, adopting process: consuming WorkerProcess) {
        conversation = WorkerConversation(settings: settings, adopting: process)
    }

    /// Talks to nobody; the replies are written down.
    init(settings: WorkerSettings, reading replies: WrittenReplies) {
        conversation = WorkerConversation(settings: settings, reading: replies)
    }

    /// Sends a message and waits for its reply.
    func exchange(_ message: HostMessage, handlers: Handlers) async -> Reply {
        if queue.hold(if: { conversation.canBegin(message) }) {
            return await exchangeAtOnce(message, handlers)
        }
        let isCall = if case .call = message { true } else { false }
        return await withCheckedContinuation { continuation in
            queue.add(
                {
                    let reply = self.conversation.exchange(message, handlers)
                    return { continuation.resume(returning: reply) }
                }, isCall: isCall)
        }
    }

    /// Sends a message that has no reply.
    func send(_ message: HostMessage) { enqueue { $0.send(message) } }

    /// Ends the worker once the step under way is over, and hands on what it counted.
    func close() { enqueue { $0.close() } }

    /// Waits until `close` has been carried out.
    func closed() async {
        await withCheckedContinuation { continuation in queue.add { { continuation.resume() } } }
    }

    /// Sends a message to a worker that waits for one; only what takes longer than a moment is left to the queue.
    private func exchangeAtOnce(_ message: HostMessage, _ handlers: Handlers) async -> Reply {
        let beginning = conversation.begin(message)
        if beginning.isWhole, let reply = conversation.reply(within: Self.patience, handlers) {
            queue.release()
            return reply
        }
        return await withCheckedContinuation { continuation in
            queue.release {
                let reply = self.conversation.finish(beginning, handlers)
                return { continuation.resume(returning: reply) }
            }
        }
    }

    private func enqueue(_ step: @escaping @Sendable (WorkerConversation) -> Void) {
        queue.add {
            step(self.conversation)
            return nil
        }
    }
}
