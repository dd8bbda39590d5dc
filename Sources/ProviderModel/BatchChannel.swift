import Synchronization

/// A signal to one task that waits for it; several that are sent before it is looked at are one.
package struct AsyncSignal: Sendable {
    private let stream: AsyncStream<Void>
    private let continuation: AsyncStream<Void>.Continuation

    /// Creates a signal that has not been sent.
    package init() { (stream, continuation) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1)) }

    /// Wakes the waiting task, or the next one that waits.
    package func send() { continuation.yield() }

    /// Ends the waiting for good.
    package func finish() { continuation.finish() }

    /// Waits for the next signal; false when there will be none, or the task is cancelled.
    package func wait() async -> Bool {
        var iterator = stream.makeAsyncIterator()
        return await iterator.next() != nil
    }
}

/// A channel from many tasks to one that takes everything at once: one wake-up serves all that was sent meanwhile.
///
/// Sending never waits. A sender that must not outrun the receiver calls ``waitForRoom(below:)``.
package final class BatchChannel<Element: Sendable>: Sendable {
    private let elements = Mutex<[Element]>([])
    private let sent = AsyncSignal()
    private let taken = AsyncSignal()

    /// Creates an empty channel.
    package init() {}

    /// How many elements wait.
    package var count: Int { elements.withLock { $0.count } }

    /// Sends an element.
    package func send(_ element: Element) { send([element]) }

    /// Sends elements in their order.
    package func send(_ batch: [Element]) {
        elements.withLock { $0 += batch }
        sent.send()
    }

    /// Says that no more elements come.
    package func finish() { sent.finish() }

    /// Returns the elements that wait now, none of them again.
    package func takeAll() -> [Element] {
        let batch = elements.withLock { elements in
            defer { elements = [] }
            return elements
        }
        if !batch.isEmpty { taken.send() }
        return batch
    }

    /// Waits until something has been sent; false when nothing more comes, or the task is cancelled.
    package func wait() async -> Bool { await sent.wait() }

    /// Waits for elements and returns all that wait; none at the end.
    package func next() async -> [Element] {
        while true {
            let batch = takeAll()
            if !batch.isEmpty { return batch }
            guard await sent.wait() else { return takeAll() }
        }
    }

    /// Waits until fewer elements than `limit` wait; for one sender.
    package func waitForRoom(below limit: Int) async {
        while count >= limit {
            guard await taken.wait() else { return }
        }
    }
}
