import CCurl
import Glibc
import HTTPTypes
import ProviderModel

/// One exchange: the state that libcurl's callbacks work on; used on the multi handle's thread only.
final class CurlTransfer {
    let queued: QueuedTransfer
    let easy: CurlEasy
    let proxy: Proxy?
    let connection: ConnectionSettings
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
        connection = settings.connection(of: request)
        proxy = connection.proxies.proxy(for: request.url)
        isAllowedPrivate = settings.allowedHosts.admits(request.url)
        redaction = request.credentials?.redaction
        let decoding = DecodingPolicy(request.headers)
        let timeout = request.deadline ?? settings.deadline
        body = ResponseBody(
            from: request.url, into: request.sink, decoding, limit: request.bodyLimit ?? settings.bodyLimit,
            timeout: timeout)
        stall = StallDetector(settings, stallTimeout: connection.stallDeadline)
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
            case .stalled(let time): "sent nothing for \(time) (the time limit for data)"
            case .slow(let bytes, let time): "sent only \(bytes) bytes in \(time)"
            }
        return found.map {
            TransportError(.timeout, url: request.url, message: "\(request.url.origin) \($0)", hint: .raiseIdleTimeout)
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
        // A cookie that is set again with its former value stays what it is: the transport above takes it out.
        HTTPFields(map { $0.name == .setCookie ? $0 : HTTPField(name: $0.name, value: redaction.redact($0.value)) })
    }
}

extension CurlTransfer {
    /// Sets every option of the exchange.
    func configure(timeout: Duration, onFreshConnection: Bool) throws(TransportError) {
        var wire = WireRequest(request)
        try request.credentials?.apply(to: &wire)
        setProtocol(timeout: timeout)
        setAddress(wire.url, onFreshConnection: onFreshConnection)
        setRequest(wire)
        if wire.url.scheme == .https || proxy != nil { setTrust(try multi.certificates.get()) }
        // libcurl holds the transfer unretained: the multi handle keeps it as long as libcurl may call.
        let context = Unmanaged.passUnretained(self).toOpaque()
        easy.set(CURLOPT_PRIVATE, pointer: context)
        setResponseCallbacks(context)
        setSocketCallbacks(context)
        setAddressCheck(context)
        guard let refusal = easy.refusal else { return }
        let text = String(cString: curl_easy_strerror(refusal))
        throw TransportError(
            .unavailable, url: request.url, message: "libcurl refused an option: \(text) (expected 7.87 or newer)")
    }

    private func setProtocol(timeout: Duration) {
        easy.set(CURLOPT_PROTOCOLS_STR, "http,https")
        easy.set(CURLOPT_FOLLOWLOCATION, false)
        easy.set(CURLOPT_NETRC, 0)
        easy.set(CURLOPT_SUPPRESS_CONNECT_HEADERS, true)
        // Bodies are decoded by `ResponseBody`; libcurl would refuse what it cannot decode. Chunks it still joins.
        easy.set(CURLOPT_HTTP_CONTENT_DECODING, false)
        easy.set(CURLOPT_NOSIGNAL, true)
        easy.set(CURLOPT_CONNECTTIMEOUT_MS, milliseconds: connection.connectDeadline)
        easy.set(CURLOPT_TIMEOUT_MS, milliseconds: timeout)
        // A name lookup that hangs must not hold up the thread when its transfer is cancelled.
        easy.set(CURLOPT_QUICK_EXIT, true)
    }

    private func setAddress(_ url: WebURL, onFreshConnection: Bool) {
        easy.set(CURLOPT_URL, url.withoutFragment)
        // The empty text keeps libcurl from looking into the environment itself.
        easy.set(CURLOPT_PROXY, proxy?.address ?? "")
        easy.set(CURLOPT_NOPROXY, "")
        // Only for CONNECT; the request has its own line.
        if proxy != nil { easy.set(CURLOPT_USERAGENT, multi.settings.userAgent) }
        easy.set(CURLOPT_FRESH_CONNECT, onFreshConnection)
        let isSecure = url.scheme == .https
        easy.set(CURLOPT_HTTP_VERSION, isSecure ? Int(CURL_HTTP_VERSION_2TLS) : Int(CURL_HTTP_VERSION_1_1))
        // TLS hands on 16 KB at a time; for the rest what the curl tool has.
        easy.set(CURLOPT_BUFFERSIZE, isSecure ? 16 << 10 : 100 << 10)
    }

    private func setRequest(_ wire: WireRequest) {
        let (method, body, headers) = (wire.method, wire.body, wire.headers)
        let hasBody = [.post, .put, .patch].contains(method) || !body.isEmpty
        if method == .head {
            easy.set(CURLOPT_NOBODY, true)
        } else {
            if hasBody { easy.setBody(body) }
            if method != .get || hasBody { easy.set(CURLOPT_CUSTOMREQUEST, method.rawValue) }
        }
        easy.setHeaderLines(Self.lines(of: headers, hasBody: hasBody, userAgent: multi.settings.userAgent))
    }

    private static func lines(of headers: HTTPFields, hasBody: Bool, userAgent: String) -> [String] {
        var lines = headers.map { field in
            let name = field.name.rawName
            return field.value.isEmpty ? name + ";" : name + ": " + field.value
        }
        if !headers.contains(.userAgent) { lines.append("User-Agent: " + userAgent) }
        if !headers.contains(.acceptEncoding) { lines.append("Accept-Encoding: " + ContentCoding.accepted) }
        guard hasBody else { return lines }
        lines.append("Expect:")  // waiting for “100 Continue” costs a second at servers that do not know it
        if !headers.contains(.contentType) { lines.append("Content-Type:") }
        return lines
    }

    /// A proxy is trusted as sources are; libcurl has options of their own for it.
    private func setTrust(_ bundle: CertificateBundle?) {
        let trust = multi.settings.trust
        easy.set(CURLOPT_SSL_VERIFYPEER, true)
        easy.set(CURLOPT_SSL_VERIFYHOST, 2)
        easy.set(CURLOPT_SSLVERSION, Int(CURL_SSLVERSION_TLSv1_2))
        // nil takes away what the library was built with, which would be loaded besides.
        easy.set(CURLOPT_CAINFO, bundle == nil ? trust.file : nil)
        easy.set(CURLOPT_CAPATH, trust.folder)
        if let bundle { easy.set(CURLOPT_CAINFO_BLOB, blob: bundle.bytes) }
        guard proxy?.isSecure == true else { return }
        easy.set(CURLOPT_PROXY_SSLVERSION, Int(CURL_SSLVERSION_TLSv1_2))
        easy.set(CURLOPT_PROXY_CAINFO, bundle == nil ? trust.file : nil)
        easy.set(CURLOPT_PROXY_CAPATH, trust.folder)
        if let bundle { easy.set(CURLOPT_PROXY_CAINFO_BLOB, blob: bundle.bytes) }
    }

    // MARK: - Callbacks

    private func setResponseCallbacks(_ context: UnsafeMutableRawPointer) {
        easy.set(CURLOPT_WRITEDATA, pointer: context)
        easy.note(
            ccurl_set_data_callback(easy.handle, CURLOPT_WRITEFUNCTION) { bytes, size, count, context in
                CurlTransfer.at(context)?.takeBody(UnsafeRawBufferPointer(start: bytes, count: size * count)) ?? 0
            })
        easy.set(CURLOPT_HEADERDATA, pointer: context)
        easy.note(
            ccurl_set_data_callback(easy.handle, CURLOPT_HEADERFUNCTION) { bytes, size, count, context in
                let line = UnsafeRawBufferPointer(start: bytes, count: size * count)
                return CurlTransfer.at(context)?.takeHeader(line) == true ? line.count : 0
            })
    }

    private func setSocketCallbacks(_ context: UnsafeMutableRawPointer) {
        easy.set(CURLOPT_OPENSOCKETDATA, pointer: context)
        easy.note(
            ccurl_set_open_socket(easy.handle) { context, _, address in
                guard let transfer = CurlTransfer.at(context), let address, let peer = ccurl_address(address),
                    transfer.mayConnect(to: NetworkAddress(peer))
                else { return CURL_SOCKET_BAD }
                // Close-on-exec: no other program started meanwhile may inherit the connection.
                let kind = address.pointee.socktype | Int32(SOCK_CLOEXEC.rawValue)
                let opened = socket(address.pointee.family, kind, address.pointee.protocol)
                if opened >= 0 { transfer.opened(opened) }
                return opened
            })
        // A connection outlives the transfer that opened it; the sockets live as long as the multi handle.
        easy.set(CURLOPT_CLOSESOCKETDATA, pointer: Unmanaged.passUnretained(multi.sockets).toOpaque())
        easy.note(
            ccurl_set_close_socket(easy.handle) { context, descriptor in
                guard let context else { return -1 }
                return Unmanaged<OpenSockets>.fromOpaque(context).takeUnretainedValue().close(descriptor)
            })
    }

    /// Also for a connection that is used again, where no socket is opened.
    private func setAddressCheck(_ context: UnsafeMutableRawPointer) {
        easy.set(CURLOPT_PREREQDATA, pointer: context)
        easy.note(
            ccurl_set_before_request(easy.handle) { context, peer, _, _, port in
                guard let transfer = CurlTransfer.at(context), let peer,
                    let address = NetworkAddress(literal: String(cString: peer)),
                    transfer.maySend(to: address, from: UInt16(clamping: port))
                else { return CURL_PREREQFUNC_ABORT }
                return CURL_PREREQFUNC_OK
            })
    }

    private static func at(_ context: UnsafeMutableRawPointer?) -> CurlTransfer? {
        context.map { Unmanaged<CurlTransfer>.fromOpaque($0).takeUnretainedValue() }
    }
}
