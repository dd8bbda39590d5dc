import CCurl
import Glibc
import HTTPTypes
import ProviderModel

/// One exchange: the state that libcurl's callbacks work on; used on the multi handle's thread only.
final class CurlTransfer {
    let order: TransferOrder
    let easy: CurlEasy
    let isProxied: Bool
    private let resumeFromAnywhere: @Sendable () -> Void
    private let isAllowedPrivate: Bool
    let redaction: SecretRedaction?
    private let bodyLimit: Int
    private let headerLimit: Int
    private var parser: ResponseHeadParser
    private(set) var head: ResponseHead?
    private(set) var buffer: BoundedBuffer
    private var sink: (any BodySink)?
    private var bytesToSink = 0
    private(set) var failure: TransportError?
    private(set) var refusedAddress: NetworkAddress?
    private let stallDeadline: Duration
    /// When something last moved; nil while queueing, connecting or paused, where other limits hold.
    private var lastProgress: ContinuousClock.Instant?
    private var hasNewConnection = false

    init(
        _ order: TransferOrder,
        settings: TransportSettings,
        trustedBytes: [UInt8]?,
        resume: @escaping @Sendable () -> Void
    ) throws(TransportError) {
        let request = order.request
        guard let easy = CurlEasy() else {
            throw TransportError(
                .unavailable,
                url: request.url,
                message: "libcurl could not begin a request: out of memory"
            )
        }
        self.order = order
        self.easy = easy
        resumeFromAnywhere = resume
        let proxy = settings.proxies.proxy(for: request.url)
        isProxied = proxy != nil
        isAllowedPrivate = settings.allowedHosts.admits(request.url)
        redaction = request.credentials?.redaction
        bodyLimit = request.bodyLimit ?? settings.bodyLimit
        headerLimit = settings.headerLimit
        stallDeadline = settings.stallDeadline
        parser = ResponseHeadParser(limit: headerLimit, isDecoding: request.headers[.acceptEncoding] == nil)
        buffer = BoundedBuffer(limit: bodyLimit)
        try checkLiteral()
        try configure(settings, trustedBytes: trustedBytes, proxy: proxy)
    }

    var id: ObjectIdentifier { ObjectIdentifier(order.ticket) }

    var request: TransportRequest { order.request }

    /// Lets a paused body flow again.
    func resume() {
        lastProgress = .now
        _ = ccurl_easy_pause(easy.handle, CURLPAUSE_CONT)
    }

    /// Whether the transfer has got its connection since this was asked last.
    func takeConnectedFlag() -> Bool {
        defer { hasNewConnection = false }
        return hasNewConnection
    }

    /// When the transfer counts as stalled if nothing moves until then.
    var stallsAt: ContinuousClock.Instant? { lastProgress.map { $0 + stallDeadline } }

    /// What the caller of a stalled transfer gets.
    var stallError: TransportError {
        TransportError(
            .timeout,
            url: request.url,
            message: "\(request.url.origin) sent nothing for \(stallDeadline); try again later, or allow more time"
        )
    }

    /// A header line.
    func takeHeader(_ bytes: UnsafeRawBufferPointer) -> Bool {
        lastProgress = .now
        switch parser.take(bytes) {
        case .more: return true
        case .tooLarge:
            failure = TransportError(
                .tooLarge,
                url: request.url,
                message:
                    "\(request.url.origin) sent more than \(headerLimit) bytes of header lines, which no honest server does"
            )
            return false
        case .complete: return begin(parser.head)
        }
    }

    /// A chunk of the body; libcurl's own values say “taken”, “later” and “no”.
    func takeBody(_ bytes: UnsafeRawBufferPointer) -> Int {
        guard failure == nil else { return Int(CURL_WRITEFUNC_ERROR) }
        lastProgress = .now
        guard let sink else {
            guard buffer.append(bytes) else { return refuseLargeBody() }
            return bytes.count
        }
        guard bytes.count <= bodyLimit - bytesToSink else { return refuseLargeBody() }
        do throws(TransportError) {
            guard try sink.write(bytes) == .more else {
                lastProgress = nil
                return Int(CURL_WRITEFUNC_PAUSE)
            }
            bytesToSink += bytes.count
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
        if isProxied || isAllowedPrivate { return true }
        guard let address else { return false }
        guard address.special != nil else { return true }
        refusedAddress = address
        return false
    }

    /// Whether the request may go out over this connection, be it new or used before.
    func maySend(to address: NetworkAddress?) -> Bool {
        lastProgress = .now
        hasNewConnection = true
        return mayConnect(to: address)
    }

    private func begin(_ complete: ResponseHead) -> Bool {
        var complete = complete
        // Sources repeat the key in links to the next page; a script would read it there.
        if let redaction { complete.headers = complete.headers.redacted(by: redaction) }
        head = complete
        if let length = complete.headers[.contentLength].flatMap(Int.init) { buffer.expect(length) }
        guard (200..<300).contains(complete.status), let wanted = request.sink else { return true }
        do throws(TransportError) {
            try wanted.begin(complete, resume: resumeFromAnywhere)
            sink = wanted
            return true
        } catch {
            failure = error
            return false
        }
    }

    private func refuseLargeBody() -> Int {
        failure = TransportError(
            .tooLarge,
            url: request.url,
            message: "\(request.url.origin) sent more than the \(bodyLimit) bytes allowed for this answer; "
                + "ask for less at once, or raise the limit"
        )
        return Int(CURL_WRITEFUNC_ERROR)
    }

    /// Through a proxy nothing else stops an address that stands in the URL itself.
    private func checkLiteral() throws(TransportError) {
        guard isProxied, !isAllowedPrivate else { return }
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
