import CCurl

/// libcurl's multi handle and the transfers in it; used on its loop's thread only.
final class CurlMulti {
    /// The handle itself.
    let handle: UnsafeMutableRawPointer
    let settings: TransportSettings
    let sockets = OpenSockets()
    /// The certificates to trust; an error when they cannot be read.
    private(set) lazy var certificates = settings.trust.bundle()
    private let resumeFromAnyThread: @Sendable (ObjectIdentifier) -> Void
    private var queue: TransferQueue<QueuedTransfer>
    private var transfers: [ObjectIdentifier: CurlTransfer] = [:]
    /// The servers that have got a connection since transfers were last started, and whether requests share it.
    private var connections: [(origin: String, isShared: Bool)] = []
    private var nextStallCheck = ContinuousClock.now

    static let isInitialized = ccurl_initialize() == CURLE_OK

    init?(settings: TransportSettings, resume: @escaping @Sendable (ObjectIdentifier) -> Void) {
        guard Self.isInitialized, let handle = curl_multi_init() else { return nil }
        self.handle = handle
        self.settings = settings
        resumeFromAnyThread = resume
        queue = TransferQueue(connectionLimit: settings.connectionsPerHost)
        // Without this libcurl opens a second connection after a hundred streams, whatever the server allows.
        ccurl_multi_set_long(handle, CURLMOPT_MAX_CONCURRENT_STREAMS, 256)
        // libcurl's own limit falls with the number of transfers: whenever few are under way for a moment, it would close
        // connections that are needed in the next.
        ccurl_multi_set_long(handle, CURLMOPT_MAXCONNECTS, 4 * settings.connectionsPerHost)
    }

    deinit {
        precondition(transfers.isEmpty, "a transfer outlived its multi handle")
        curl_multi_cleanup(handle)
    }

    /// Starts a transfer, or queues it.
    func start(_ queued: QueuedTransfer) {
        guard !queued.cancellation.isSet else { return queued.continuation.resume(throwing: CancellationError()) }
        guard queue.admit(queued, at: queued.origin, mayShare: queued.request.url.scheme == .https) else { return }
        begin([queued])
    }

    /// Ends a transfer that is no longer awaited.
    func cancel(_ id: ObjectIdentifier) {
        for queued in queue.remove(where: { $0.id == id }) {
            queued.continuation.resume(throwing: CancellationError())
        }
        end(id, with: .failure(CancellationError()))
    }

    func cancelAll() {
        for queued in queue.remove(where: { _ in true }) { queued.continuation.resume(throwing: CancellationError()) }
        for id in transfers.keys { end(id, with: .failure(CancellationError())) }
    }

    /// Lets a paused transfer continue.
    func resume(_ id: ObjectIdentifier) { transfers[id]?.resume() }

    /// Moves every transfer on as far as it goes, and completes those that have ended.
    func perform() {
        var running: Int32 = 0
        curl_multi_perform(handle, &running)
        var result = CURLE_OK
        while let easy = ccurl_multi_next_finished(handle, &result) { finish(easy, result) }
        endStalled()
        let connections = connections
        self.connections = []
        for (origin, isShared) in connections { begin(queue.connected(to: origin, isShared: isShared)) }
    }

    /// Waits for the network, a timer of libcurl, the time to look for stalled transfers, or a wake-up.
    func waitForEvents() {
        let left = ContinuousClock.now.duration(to: nextStallCheck) / .milliseconds(1)
        let milliseconds = transfers.isEmpty ? 60_000 : min(max(left + 1, 0), 60_000)
        curl_multi_poll(handle, nil, 0, Int32(milliseconds), nil)
    }

    /// Notes that a server has a connection, and whether requests share it; called from libcurl's callbacks, in which
    /// no transfer may be added.
    func noteConnection(to origin: String, isShared: Bool) { connections.append((origin, isShared)) }

    private func finish(_ easy: UnsafeMutableRawPointer, _ result: CURLcode) {
        guard let context = ccurl_get_private(easy) else { return }
        let transfer = Unmanaged<CurlTransfer>.fromOpaque(context).takeUnretainedValue()
        guard !transfer.hasSpoiledConnection else { return repeatOnFreshConnection(transfer) }
        sockets.noteResponse(from: UInt16(clamping: transfer.easy.number(CURLINFO_LOCAL_PORT)), transfer.version)
        end(transfer.queued.id, with: transfer.outcome(of: result))
    }

    private func endStalled() {
        let now = ContinuousClock.now
        guard now >= nextStallCheck else { return }
        for transfer in transfers.values {
            guard let error = transfer.stallError(at: now) else { continue }
            end(transfer.queued.id, with: .failure(error))
        }
        // A transfer that progresses after this cannot stall earlier.
        nextStallCheck = now + min(settings.stallDeadline, settings.minimumSpeedTime)
        for check in transfers.values.lazy.compactMap(\.stall.nextCheck) { nextStallCheck = min(nextStallCheck, check) }
    }

    /// Begins transfers from the queue; one that cannot begin frees its slot for the next.
    private func begin(_ transfers: [QueuedTransfer]) {
        var left = transfers[...]
        while let queued = left.popFirst() {
            do throws(TransportError) { try begin(queued) } catch {
                left += queue.finished(at: queued.origin)
                queued.continuation.resume(throwing: error)
            }
        }
    }

    private func begin(_ queued: QueuedTransfer, onFreshConnection: Bool = false) throws(TransportError) {
        let (resume, id) = (resumeFromAnyThread, queued.id)
        guard let easy = CurlEasy() else {
            throw TransportError(
                .unavailable, url: queued.request.url, message: "libcurl could not start a request: out of memory")
        }
        let transfer = try CurlTransfer(queued, on: easy, in: self, onFreshConnection: onFreshConnection) { resume(id) }
        guard curl_multi_add_handle(handle, easy.handle) == CURLM_OK else {
            throw TransportError(.unavailable, url: queued.request.url, message: "libcurl refused the request")
        }
        transfers[id] = transfer
    }

    /// Sends a request once more: nothing of it has been sent, so that any method may be repeated.
    private func repeatOnFreshConnection(_ transfer: CurlTransfer) {
        let queued = transfer.queued
        transfers[queued.id] = nil
        curl_multi_remove_handle(handle, transfer.easy.handle)
        do throws(TransportError) { try begin(queued, onFreshConnection: true) } catch {
            begin(queue.finished(at: queued.origin))
            queued.continuation.resume(throwing: error)
        }
    }

    private func end(_ id: ObjectIdentifier, with outcome: Result<TransportResponse, any Error>) {
        guard let queued = remove(id) else { return }
        begin(queue.finished(at: queued.origin))
        queued.continuation.resume(with: outcome)
    }

    /// Releases a transfer, so that its sink is its caller's alone before the caller is resumed.
    private func remove(_ id: ObjectIdentifier) -> QueuedTransfer? {
        guard let transfer = transfers.removeValue(forKey: id) else { return nil }
        curl_multi_remove_handle(handle, transfer.easy.handle)
        return transfer.queued
    }
}
