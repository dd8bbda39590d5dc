import Dispatch
import Glibc

/// A thread that can be joined.
///
/// `thread` is written before the object is shared, and read by its one owner.
package final class TestThread: @unchecked Sendable {
    private final class Work: Sendable {
        let body: @Sendable () -> Void

        init(_ body: @escaping @Sendable () -> Void) { self.body = body }
    }

    private var thread = pthread_t()

    package init(_ body: @escaping @Sendable () -> Void) {
        let code = pthread_create(
            &thread,
            nil,
            { context in
                Unmanaged<Work>.fromOpaque(context!).takeRetainedValue().body()
                return nil
            },
            Unmanaged.passRetained(Work(body)).toOpaque()
        )
        precondition(code == 0, "no thread for a test: \(code)")
    }

    func join() { pthread_join(thread, nil) }

    /// Lets the thread go when it ends, its stack with it.
    package func detach() { pthread_detach(thread) }
}

/// Threads that are not needed once they have ended, waited for together: a server has one for each connection.
final class TestThreads: Sendable {
    private let running = DispatchGroup()

    func run(_ body: @escaping @Sendable () -> Void) {
        running.enter()
        TestThread { [running] in
            body()
            running.leave()
        }.detach()
    }

    func join() { running.wait() }
}
