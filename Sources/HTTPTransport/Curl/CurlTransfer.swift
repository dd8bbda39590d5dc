import CCurl
import HTTPTypes
import ProviderModel

/// One exchange: the state that libcurl's callbacks work on; used on the multi handle's thread only.
final class CurlTransfer {
    let queued: QueuedTransfer
    let easy: CurlEasy
    let proxy: Proxy?
    let body: ResponseBody
    let redaction: SecretRedaction?
    private(set) var stall: StallDetector
    private(set) var head: ResponseHead?
    private(set) var failure: TransportError?
    private(set) var refusedAddress: NetworkAddress?
    /// Whether the connection held something unread, so that the request has to go out over another one.
    private(set) var hasSpoiledConnection = false
    unowned let multi: CurlMulti
    private var parser: ResponseHeadParser
    private var openedSockets: [Int32] = []
    private let isAllowedPrivate: Bool
    private let resumeFromAnyThread: @Sendable () -> Void

    /// `resume` lets the transfer continue after a pause of its sink, from any thread.
    init(
        _ queued: QueuedTransfer,
        on easy: CurlEasy,
        in multi: CurlMulti,
        onFreshConnection: Bool,
        resume: @escaping @Sendable () -> Void
    ) throws(TransportError) {
        let (request, settings) = (queued.request, multi.settings)
        self.queued = queued
        self.easy = easy
        self.multi = multi
        resumeFromAnyThread = resume
        proxy = settings.proxies.proxy(for: request.url)
        isAllowedPrivate = settings.allowedHosts.admits(request.url)
        redaction = request.credentials?.redaction
        let decoding = DecodingPolicy(request.headers)
        let timeout = request.deadline ?? settings.deadline
        body = ResponseBody(
            from: request.url, into: request.sink, decoding, limit: request.bodyLimit ?? settings.bodyLimit,
            timeout: timeout)
        stall = StallDetector(settings)
        parser = ResponseHeadParser(limit: settings.headerLimit, decoding: decoding)
        try checkLiteral()
        try configure(timeout: timeout, onFreshConnection: onFreshConnection)
    }

    var request: TransportRequest { queued.request }

    /// The version of HTTP that was spoken.
    var version: String { head?.version ?? "" }

    /// Lets a paused body flow again.
    func resume() {
        stall.progressed(at: .now)
        curl_easy_pause(easy.handle, CURLPAUSE_CONT)
    }

    /// The error of a transfer that has stalled or is too slow; nil when it moves as it should.
    func stallError(at now: ContinuousClock.Instant) -> TransportError? {
        let found =
            switch stall.fault(at: now) {
            case nil: nil as String?
            case .stalled(let time): "sent nothing for \(time)"
            case .slow(let bytes, let time): "sent only \(bytes) bytes in \(time)"
            }
        return found.map {
            TransportError(.timeout, url: request.url, message: "\(request.url.origin) \($0)", hint: "try again later")
        }
    }

    // MARK: - The response

    /// Takes a header line; false ends the transfer.
    func takeHeader(_ bytes: UnsafeRawBufferPointer) -> Bool {
        stall.progressed(at: .now)
        do throws(TransportError) {
            switch parser.take(bytes) {
            case .more: break
            case .complete: try begin(parser.head)
            case .tooLarge: throw endlessHeader
            }
            return true
        } catch {
            failure = error
            return false
        }
    }

    /// Takes a chunk of the body; the result is what libcurl's write callback returns.
    func takeBody(_ bytes: UnsafeRawBufferPointer) -> Int {
        guard failure == nil else { return Int(CURL_WRITEFUNC_ERROR) }
        stall.received(bytes.count, at: .now)
        do throws(TransportError) {
            guard try body.take(bytes) == .more else {
                stall.paused()
                return Int(CURL_WRITEFUNC_PAUSE)
            }
            return bytes.count
        } catch {
            failure = error
            return Int(CURL_WRITEFUNC_ERROR)
        }
    }

    private func begin(_ received: ResponseHead) throws(TransportError) {
        var head = received
        // Sources repeat the key in links to the next page; a script would read it there.
        if let redaction { head.headers = head.headers.redacted(by: redaction) }
        self.head = head
        if head.version == "2" { multi.noteConnection(to: queued.origin, isShared: true) }
        try body.begin(head, try framing(), resume: resumeFromAnyThread)
    }

    private func framing() throws(TransportError) -> BodyFraming {
        if request.method == .head { return .empty }
        do throws(FramingFault) { return try parser.framing() } catch {
            throw TransportError(
                .invalidAnswer, url: request.url, message: "\(request.url.origin) \(error.phrase)",
                hint: "try again later, or report it to the source")
        }
    }

    private var endlessHeader: TransportError {
        TransportError(
            .tooLarge, url: request.url,
            message: "\(request.url.origin) sent more than \(multi.settings.headerLimit) bytes of header lines",
            hint: "check the host")
    }

    // MARK: - The connection

    /// Whether libcurl may connect there.
    ///
    /// Through a proxy the address is the proxy's, chosen by the user; where the proxy goes cannot be seen from here.
    func mayConnect(to address: NetworkAddress?) -> Bool {
        if proxy != nil || isAllowedPrivate { return true }
        guard let address else { return false }
        guard address.special != nil else { return true }
        refusedAddress = address
        return false
    }

    /// Notes a socket that was opened for a connection.
    func opened(_ socket: Int32) { openedSockets.append(socket) }

    /// Whether the request may go out over this connection, be it new or used before.
    func maySend(to address: NetworkAddress?, from port: UInt16) -> Bool {
        stall.progressed(at: .now)
        guard mayConnect(to: address) else { return false }
        if !openedSockets.isEmpty { multi.sockets.connected(from: port, over: openedSockets) }
        hasSpoiledConnection = openedSockets.isEmpty && multi.sockets.isSpoiled(port: port)
        guard !hasSpoiledConnection else { return false }
        multi.noteConnection(to: queued.origin, isShared: false)
        return true
    }

    /// Through a proxy nothing else stops an address that stands in the URL itself.
    private func checkLiteral() throws(TransportError) {
        guard proxy != nil, !isAllowedPrivate else { return }
        let host = request.url.host
        let address = NetworkAddress(literal: host)
        guard address?.special != nil || request.url.isLoopback else { return }
        throw .privateAddress(request.url, kind: address?.special ?? "loopback", address: address?.description ?? host)
    }
}

extension HTTPFields {
    fileprivate func redacted(by redaction: SecretRedaction) -> HTTPFields {
        HTTPFields(map { HTTPField(name: $0.name, value: redaction.redact($0.value)) })
    }
}
