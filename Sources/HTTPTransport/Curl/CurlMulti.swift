import CCurl
import Glibc

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
        nextStallCheck = now + min(settings.shortestStallDeadline, settings.minimumSpeedTime)
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
        guard let queued = transfers[id]?.queued else { return }
        // Its sink is its caller's alone before the caller is resumed: no variable here holds the transfer.
        if let easy = transfers.removeValue(forKey: id)?.easy { curl_multi_remove_handle(handle, easy.handle) }
        begin(queue.finished(at: queued.origin))
        queued.continuation.resume(with: outcome)
    }
}

/// The transfers that wait for a connection, and the limits for each server.
///
/// libcurl could queue by itself (`CURLMOPT_MAX_HOST_CONNECTIONS`, `CURLOPT_PIPEWAIT`), but its waiting transfers use up
/// their timeouts, are woken one at a time, and in some versions not at all until a timer runs out.
struct TransferQueue<Transfer> {
    private struct Server {
        /// How many transfers may be under way.
        var limit: Int
        var active = 0
        var waiting: [Transfer] = []

        /// Removes and returns the transfers that may begin.
        mutating func next() -> [Transfer] {
            let count = min(max(limit - active, 0), waiting.count)
            guard count > 0 else { return [] }
            defer { waiting.removeFirst(count) }
            active += count
            return Array(waiting.prefix(count))
        }
    }

    /// The streams at an HTTP/2 server.
    ///
    /// Most allow 100 or 128 on a connection (RFC 9113 §6.5.2), and libcurl opens another for the rest.
    private static var streamLimit: Int { 128 }

    private let connectionLimit: Int
    private var servers: [String: Server] = [:]

    init(connectionLimit: Int) { self.connectionLimit = max(connectionLimit, 1) }

    /// Adds a transfer; true when it may begin at once.
    ///
    /// `mayShare` is whether HTTP/2 is possible: then one transfer opens the connection, and the others share it or open their
    /// own.
    mutating func admit(_ transfer: Transfer, at origin: String, mayShare: Bool) -> Bool {
        var server = servers[origin] ?? Server(limit: mayShare ? 1 : connectionLimit)
        defer { servers[origin] = server }
        guard server.active < server.limit else {
            server.waiting.append(transfer)
            return false
        }
        server.active += 1
        return true
    }

    /// Notes that there is a connection, and whether requests are known to share it; returns those that may begin now.
    mutating func connected(to origin: String, isShared: Bool) -> [Transfer] {
        guard var server = servers[origin] else { return [] }
        server.limit = max(server.limit, isShared ? max(Self.streamLimit, connectionLimit) : connectionLimit)
        defer { servers[origin] = server }
        return server.next()
    }

    /// Notes that an active one has ended; returns those that may begin now.
    mutating func finished(at origin: String) -> [Transfer] {
        guard var server = servers[origin] else { return [] }
        server.active -= 1
        let transfers = server.next()
        // Later the connection may be gone, and many at once must not open one each.
        servers[origin] = server.active == 0 ? nil : server
        return transfers
    }

    /// Removes and returns those that wait and match.
    mutating func remove(where isUnwanted: (Transfer) -> Bool) -> [Transfer] {
        var removed: [Transfer] = []
        for (origin, server) in servers where server.waiting.contains(where: isUnwanted) {
            removed += server.waiting.filter(isUnwanted)
            servers[origin]?.waiting.removeAll(where: isUnwanted)
        }
        return removed
    }
}

/// The sockets of libcurl's connections, to detect unread bytes in them.
///
/// A server that sends more than it announced corrupts its connection: the excess would be read as the beginning of the next
/// response. libcurl detects the bytes that it has read already, but before version 8 not those that arrive later.
final class OpenSockets {
    /// By their local ports, as far as they are known.
    private var descriptors: [UInt16: Int32] = [:]
    /// The local ports of connections that carry one response at a time; in others there may always be something to read.
    private var unsharedPorts: Set<UInt16> = []

    /// Closes a socket that libcurl needs no more.
    func close(_ descriptor: Int32) -> Int32 {
        if let port = descriptors.first(where: { $0.value == descriptor })?.key { descriptors[port] = nil }
        return Glibc.close(descriptor)
    }

    /// Notes a new connection over one of these sockets: for a name with several addresses, libcurl tries more than one.
    func connected(from port: UInt16, over opened: [Int32]) {
        descriptors[port] = opened.first { Self.localPort(of: $0) == port }
        unsharedPorts.remove(port)
    }

    /// Notes which version of HTTP a connection has just spoken.
    func noteResponse(from port: UInt16, _ version: String) {
        if version.hasPrefix("1.") { unsharedPorts.insert(port) } else { unsharedPorts.remove(port) }
    }

    /// Whether bytes have arrived that belong to no request.
    func isSpoiled(port: UInt16) -> Bool {
        guard unsharedPorts.contains(port), let descriptor = descriptors[port] else { return false }
        var byte: UInt8 = 0
        return recv(descriptor, &byte, 1, Int32(MSG_PEEK | MSG_DONTWAIT)) > 0
    }

    private static func localPort(of descriptor: Int32) -> UInt16? {
        var storage = sockaddr_storage()
        var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
        let isSocket = withUnsafeMutablePointer(to: &storage) { storage in
            storage.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(descriptor, $0, &length) == 0 }
        }
        guard isSocket else { return nil }
        // The port stands at the same place for both families.
        return withUnsafeBytes(of: storage) { UInt16(bigEndian: $0.loadUnaligned(fromByteOffset: 2, as: UInt16.self)) }
    }
}
