import Synchronization

/// Values handed from many tasks to one.
final class Mailbox<Value: Sendable>: Sendable {
    private struct Contents {
        var values: [Value] = []
        var waiter: CheckedContinuation<Void, Never>?
        /// Somebody was to be woken while nobody waited.
        var isWoken = false
    }

    private let contents = Mutex(Contents())

    /// Adds a value and wakes the one who waits.
    func post(_ value: Value) {
        let waiter = contents.withLock { contents in
            contents.values.append(value)
            return contents.waiter.take()
        }
        waiter?.resume()
    }

    /// Wakes the one who waits, with nothing.
    func wake() {
        let waiter = contents.withLock { contents in
            contents.isWoken = contents.waiter == nil
            return contents.waiter.take()
        }
        waiter?.resume()
    }

    /// Takes what has come, without waiting.
    func drain() -> [Value] {
        contents.withLock { contents in
            defer { contents.values = [] }
            return contents.values
        }
    }

    /// Waits until something has come, or the task is cancelled.
    func wait() async {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isReady = contents.withLock { contents in
                    if contents.values.isEmpty, !contents.isWoken, !Task.isCancelled {
                        contents.waiter = continuation
                        return false
                    }
                    contents.isWoken = false
                    return true
                }
                if isReady { continuation.resume() }
            }
        } onCancel: {
            contents.withLock { $0.waiter.take() }?.resume()
        }
    }
}
