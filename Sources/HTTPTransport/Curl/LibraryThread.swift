import CCurl
import Synchronization

/// The thread that loads the library before there is a transport, and goes on as the first thread of the first one.
///
/// While a library is being loaded, the system begins no other thread: whoever asked for one would wait until it is loaded.
enum LibraryThread {
    private enum Stage {
        /// There is none, or no longer.
        case none
        /// What it does once the library is loaded; nothing so far.
        case loading(next: (@Sendable () -> Void)?)
    }

    private static let stage = Mutex(Stage.none)

    /// Begins to load the library; where no thread can be had, the first transport does it.
    static func start() {
        stage.withLock { stage in
            if NativeThread.start(load) { stage = .loading(next: nil) }
        }
    }

    /// Has the thread do something when the library is loaded; false when it is not loading, or has something to do already.
    static func goOn(with work: @escaping @Sendable () -> Void) -> Bool {
        stage.withLock { stage in
            guard case .loading(nil) = stage else { return false }
            stage = .loading(next: work)
            return true
        }
    }

    @Sendable private static func load() {
        _ = ccurl_load()
        let next = stage.withLock { stage in
            defer { stage = .none }
            guard case .loading(let next) = stage else { return nil as (@Sendable () -> Void)? }
            return next
        }
        next?()
    }
}
