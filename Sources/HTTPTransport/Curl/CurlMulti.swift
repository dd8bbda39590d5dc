import CCurl

/// libcurl's multi handle and the transfers in it; used on its thread only.
final class CurlMulti {
    /// The handle itself.
    let handle: UnsafeMutableRawPointer
    private let settings: TransportSettings
    private let trusted: TrustedFiles
    /// Why the certificates cannot be used: whoever sends a request is told.
    private let trustProblem: TransportError?
    private let resumeFromAnywhere: @Sendable (ObjectIdentifier) -> Void
    private var queue: TransferQueue<TransferOrder>
    private var transfers: [ObjectIdentifier: CurlTransfer] = [:]
    private let sockets = OpenSockets()
    private let heads = HeadMemory()
    private let clock = RoundClock()
    private var nextFlowCheck = ContinuousClock.now
    /// Handles of transfers that have ended: making one, with its buffers, costs more than all its options.
    private var idle: [CurlEasy] = []
    private static let idleLimit = 128

    init?(
        settings: TransportSettings, certificates: TrustedCertificates,
        resume: @escaping @Sendable (ObjectIdentifier) -> Void
    ) {
        guard let handle = ccurl_multi_init() else { return nil }
        self.handle = handle
        self.settings = settings
        resumeFromAnywhere = resume
        queue = TransferQueue(connectionLimit: settings.connectionsPerHost)
        do throws(TransportError) {
            let bytes = try settings.trust.joinedFiles().map(SharedBytes.init)
            (trusted, trustProblem) = (TrustedFiles(bytes: bytes, certificates: certificates), nil)
        } catch {
            (trusted, trustProblem) = (TrustedFiles(bytes: nil, certificates: certificates), error)
        }
        _ = ccurl_multi_set_number(handle, CURLMOPT_PIPELINING, Int(CURLPIPE_MULTIPLEX))
        // Without this libcurl opens a second connection after a hundred streams, whatever the server allows.
        _ = ccurl_multi_set_number(handle, CURLMOPT_MAX_CONCURRENT_STREAMS, 256)
        // libcurl's own limit falls with the number of transfers: whenever few are under way for a moment, it would close
        // connections that are needed in the next.
        _ = ccurl_multi_set_number(handle, CURLMOPT_MAXCONNECTS, 4 * settings.connectionsPerHost)
        makeReady()
    }

    deinit {
        precondition(transfers.isEmpty, "a transfer outlived its multi handle")
        ccurl_multi_cleanup(handle)
    }

    /// Begins a transfer, or lets it wait for its turn.
    func take(_ order: TransferOrder) {
        guard !order.ticket.isCancelled else { return order.answer.resume(throwing: CancellationError()) }
        guard queue.admit(order, at: order.origin, mayShare: order.request.url.scheme == .https) else { return }
        begin([order])
    }

    /// Calls a transfer off.
    func cancel(_ id: ObjectIdentifier) {
        for order in queue.remove(where: { ObjectIdentifier($0.ticket) == id }) {
            order.answer.resume(throwing: CancellationError())
        }
        end(id, with: .failure(CancellationError()))
    }

    /// Lets a paused transfer go on.
    func resume(_ id: ObjectIdentifier) {
        // What libcurl has kept meanwhile comes at once.
        clock.beginRound()
        transfers[id]?.resume()
    }

    /// Moves every transfer on as far as it goes, and answers those that have ended.
    func perform() {
        clock.beginRound()
        _ = ccurl_multi_perform(handle)
        var result = CURLE_OK
        while let easy = ccurl_multi_next_finished(handle, &result) {
            if let (id, outcome) = finish(easy, result) { end(id, with: outcome) }
        }
        endStalled(at: clock.now)
        for transfer in sockets.takeConnected() {
            begin(queue.connected(to: transfer.order.origin, sharing: transfer.sharesConnection))
        }
    }

    /// Waits for the network, a timer of libcurl, a transfer to stall, or a wake-up.
    func waitForEvents() {
        let left = ContinuousClock.now.duration(to: nextFlowCheck)
        let milliseconds = transfers.isEmpty ? 60_000 : Int32(clamping: Int(left / .milliseconds(1)) + 1)
        _ = ccurl_multi_poll(handle, min(max(milliseconds, 0), 60_000))
    }

    func cancelAll() {
        for order in queue.remove(where: { _ in true }) { order.answer.resume(throwing: CancellationError()) }
        for id in transfers.keys { end(id, with: .failure(CancellationError())) }
    }

    /// What the first request needs is there when it comes: the thread has nothing else to do until then.
    ///
    /// A collection's first room is also when the runtime puts its type together, which takes 0.1 ms.
    private func makeReady() {
        transfers.reserveCapacity(4)
        _ = ContentCoding.accepted
        guard let easy = CurlEasy() else { return }
        easy.prepare(settings)
        idle.append(easy)
    }

    /// What came of a transfer that libcurl is done with; nil when it is sent again.
    private func finish(
        _ easy: UnsafeMutableRawPointer, _ result: CURLcode
    ) -> (ObjectIdentifier, Result<TransportResponse, any Error>)? {
        guard let context = ccurl_get_private(easy) else { return nil }
        let transfer = Unmanaged<CurlTransfer>.fromOpaque(context).takeUnretainedValue()
        guard !transfer.hasSpoiledConnection else {
            repeatOnFreshConnection(transfer)
            return nil
        }
        transfer.leave()
        return (transfer.id, transfer.outcome(of: result))
    }

    private func endStalled(at now: ContinuousClock.Instant) {
        guard now >= nextFlowCheck else { return }
        for transfer in transfers.values {
            guard let error = transfer.flowError(at: now) else { continue }
            end(transfer.id, with: .failure(error))
        }
        // Whatever moves from now on has this long at least, so that not all need be asked each time.
        nextFlowCheck = now + min(settings.stallDeadline, settings.minimumSpeedTime)
        for check in transfers.values.lazy.compactMap(\.flow.nextCheck) { nextFlowCheck = min(nextFlowCheck, check) }
    }

    /// Begins what the queue let go; one that cannot begin makes room for the next.
    private func begin(_ orders: [TransferOrder]) {
        var left = orders[...]
        while let order = left.popFirst() {
            do {
                try start(order)
            } catch {
                left += queue.finished(at: order.origin, sharing: false)
                order.answer.resume(throwing: error)
            }
        }
    }

    private func start(_ order: TransferOrder, onFreshConnection: Bool = false) throws(TransportError) {
        let resume = resumeFromAnywhere
        let id = ObjectIdentifier(order.ticket)
        if let trustProblem { throw trustProblem }
        guard let easy = idle.popLast() ?? CurlEasy() else {
            throw TransportError(
                .unavailable, url: order.request.url, message: "libcurl could not begin a request: out of memory")
        }
        // Refused by a handle that still has the buffer of its last transfer, which serves as well.
        easy.prefer(CURLOPT_BUFFERSIZE, readLength(for: order.request))
        let transfer = try CurlTransfer(
            order, on: easy, settings: settings, trusted: trusted, sockets: sockets,
            heads: heads, clock: clock, onFreshConnection: onFreshConnection
        ) { resume(id) }
        guard ccurl_multi_add(handle, transfer.easy.handle) == CURLM_OK else {
            throw TransportError(.unavailable, url: order.request.url, message: "libcurl did not take the request")
        }
        transfers[id] = transfer
    }

    /// How much libcurl reads at a time.
    private func readLength(for request: TransportRequest) -> Int {
        // TLS hands on 16 KB at a time, and over HTTP/2 there is a buffer for each of many answers.
        guard request.url.scheme == .http else { return 16 << 10 }
        // Each time costs a look at the socket and a packet to the server; but many share the processor's cache.
        return transfers.isEmpty ? 512 << 10 : 100 << 10
    }

    /// Nothing of the request has gone out, so that it may be any request.
    private func repeatOnFreshConnection(_ transfer: CurlTransfer) {
        transfers[transfer.id] = nil
        release(transfer)
        do throws(TransportError) { try start(transfer.order, onFreshConnection: true) } catch {
            transfer.order.answer.resume(throwing: error)
            begin(queue.finished(at: transfer.order.origin, sharing: false))
        }
    }

    private func end(_ id: ObjectIdentifier, with outcome: Result<TransportResponse, any Error>) {
        guard let (answer, origin, isSharing) = remove(id) else { return }
        begin(queue.finished(at: origin, sharing: isSharing))
        answer.resume(with: outcome)
    }

    /// Lets go of a transfer, so that its sink is its caller's alone before the caller hears of the end.
    private func remove(
        _ id: ObjectIdentifier
    ) -> (answer: CheckedContinuation<TransportResponse, any Error>, origin: String, isSharing: Bool)? {
        guard let transfer = transfers.removeValue(forKey: id) else { return nil }
        let isSharing = transfer.version == "2"
        release(transfer)
        return (transfer.order.answer, transfer.order.origin, isSharing)
    }

    private func release(_ transfer: CurlTransfer) {
        ccurl_multi_remove(handle, transfer.easy.handle)
        sockets.forgetConnection(of: transfer)
        guard idle.count < Self.idleLimit else { return }
        transfer.easy.reuse()
        idle.append(transfer.easy)
    }
}
