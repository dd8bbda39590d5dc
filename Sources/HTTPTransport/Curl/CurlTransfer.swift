import CCurl
import Glibc
import HTTPTypes
import ProviderModel

/// One exchange: the state that libcurl's callbacks work on; used on the multi handle's thread only.
final class CurlTransfer {
    let order: TransferOrder
    let easy: CurlEasy
    let proxy: Proxy?
    private let resumeFromAnywhere: @Sendable () -> Void
    private let isAllowedPrivate: Bool
    let redaction: SecretRedaction?
    let deadline: Duration
    private let headerLimit: Int
    // Both are looked at for every header line, and on one thread only: checking that costs as much as reading them.
    @exclusivity(unchecked) private var parser: ResponseHeadParser
    @exclusivity(unchecked) private(set) var flow: FlowWatch
    @exclusivity(unchecked) private var roundOfLastLine = -1
    private(set) var head: ResponseHead?
    let body: BodyIntake
    private let clock: RoundClock
    private(set) var failure: TransportError?
    private(set) var refusedAddress: NetworkAddress?
    /// Whether other requests may share the connection, as far as that is known before the answer.
    private(set) var sharesConnection = false
    let sockets: OpenSockets
    private var hasOpenedSocket = false
    let wantsFreshConnection: Bool
    /// Whether the connection held something unread, so that the request has to go out over another one.
    private(set) var hasSpoiledConnection = false

    init(
        _ order: TransferOrder,
        on easy: CurlEasy,
        settings: TransportSettings,
        trusted: TrustedFiles,
        sockets: OpenSockets,
        heads: HeadMemory,
        clock: RoundClock,
        onFreshConnection wantsFreshConnection: Bool = false,
        resume: @escaping @Sendable () -> Void
    ) throws(TransportError) {
        self.order = order
        self.easy = easy
        self.sockets = sockets
        self.clock = clock
        self.wantsFreshConnection = wantsFreshConnection
        resumeFromAnywhere = resume
        proxy = settings.proxies.proxy(for: order.request.url)
        isAllowedPrivate = settings.allowedHosts.admits(order.request.url)
        redaction = order.request.credentials?.redaction
        deadline = order.request.deadline ?? settings.deadline
        let unpacking = Unpacking(order.request.headers)
        body = BodyIntake(
            of: order.request.url, for: order.request.sink, unpacking,
            limit: order.request.bodyLimit ?? settings.bodyLimit, deadline: deadline)
        flow = FlowWatch(settings)
        headerLimit = settings.headerLimit
        parser = ResponseHeadParser(limit: headerLimit, unpacking: unpacking, memory: heads)
        try checkLiteral()
        try configure(settings, trusted)
    }

    var id: ObjectIdentifier { ObjectIdentifier(order.ticket) }

    var request: TransportRequest { order.request }

    /// Lets a paused body flow again.
    func resume() {
        flow.moved(at: clock.now)
        _ = ccurl_easy_pause(easy.handle, CURLPAUSE_CONT)
    }

    /// What the caller of a transfer that has stalled or is too slow gets; nil when it moves as it should.
    func flowError(at now: ContinuousClock.Instant) -> TransportError? {
        let found =
            switch flow.fault(at: now) {
            case nil: nil as String?
            case .stalled(let time): "sent nothing more for \(time), expected the rest of its answer"
            case .slow(let bytes, let time): "sent only \(bytes) bytes in \(time), expected an answer to flow"
            }
        guard let found else { return nil }
        return TransportError(.timeout, url: request.url, message: "\(request.url.origin) \(found); try again later")
    }

    /// A header line.
    func takeHeader(_ bytes: UnsafeRawBufferPointer) -> Bool {
        // The lines of a head come at once.
        if clock.round != roundOfLastLine {
            roundOfLastLine = clock.round
            flow.moved(at: clock.now)
        }
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

    /// A chunk of the body; libcurl's own values say “taken”, “later” and “no”.
    func takeBody(_ bytes: UnsafeRawBufferPointer) -> Int {
        guard failure == nil else { return Int(CURL_WRITEFUNC_ERROR) }
        flow.received(bytes.count, at: clock.now)
        do throws(TransportError) {
            guard try body.take(bytes) == .more else {
                flow.paused()
                return Int(CURL_WRITEFUNC_PAUSE)
            }
            return bytes.count
        } catch {
            failure = error
            return Int(CURL_WRITEFUNC_ERROR)
        }
    }

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
    func opened(_ socket: Int32) {
        hasOpenedSocket = true
        sockets.opened(socket)
    }

    /// Whether the request may go out over this connection, be it new or used before.
    func maySend(to address: NetworkAddress?, from port: UInt16) -> Bool {
        flow.moved(at: clock.now)
        sockets.noteConnection(of: self)
        guard mayConnect(to: address) else { return false }
        if hasOpenedSocket { sockets.connected(from: port) }
        hasSpoiledConnection = !hasOpenedSocket && sockets.isSpoiled(port: port)
        guard !hasSpoiledConnection else { return false }
        sharesConnection = request.url.scheme == .https && ccurl_speaks_http2(easy.handle)
        request.sink?.connected(isShared: sharesConnection)
        return true
    }

    /// Notes what the connection spoke, for those who use it next.
    func leave() {
        sockets.answered(from: UInt16(clamping: easy.number(CURLINFO_LOCAL_PORT)), version: version)
    }

    private func begin(_ complete: ResponseHead) throws(TransportError) {
        var complete = complete
        // Sources repeat the key in links to the next page; a script would read it there.
        if let redaction { complete.headers = complete.headers.redacted(by: redaction) }
        head = complete
        try body.begin(complete, try framing(), resume: resumeFromAnywhere)
    }

    private func framing() throws(TransportError) -> BodyFraming {
        if request.method == .head { return .empty }
        do throws(FramingFault) { return try parser.framing() } catch {
            throw TransportError(
                .invalidAnswer,
                url: request.url,
                message: "\(request.url.origin) \(error.phrase); try again later, or report it to the source"
            )
        }
    }

    private var endlessHeader: TransportError {
        TransportError(
            .tooLarge,
            url: request.url,
            message: "\(request.url.origin) sent more than \(headerLimit) bytes of header lines, expected an answer; "
                + "check that the address is the source's"
        )
    }

    /// Through a proxy nothing else stops an address that stands in the URL itself.
    private func checkLiteral() throws(TransportError) {
        guard proxy != nil, !isAllowedPrivate else { return }
        let host = request.url.host
        let address = NetworkAddress(literal: host)
        guard address?.special != nil || request.url.isLoopback else { return }
        throw Self.privateAddressError(
            request.url,
            address: address?.description ?? host,
            kind: address?.special ?? "loopback"
        )
    }
}

extension HTTPFields {
    fileprivate func redacted(by redaction: SecretRedaction) -> HTTPFields {
        HTTPFields(map { HTTPField(name: $0.name, value: redaction.redact($0.value)) })
    }
}
