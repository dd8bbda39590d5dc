import CCurl
import Glibc
import HTTPTypes
import ProviderModel

extension CurlTransfer {
    /// Sets every option of the exchange; those that all requests share stay with the handle.
    func configure(_ settings: TransportSettings, _ trusted: TrustedFiles) throws(TransportError) {
        easy.prepare(settings)
        var wire = WireRequest(url: order.request.url, headers: order.request.headers)
        try order.request.credentials?.apply(to: &wire)
        setAddress(wire.url, settings)
        setRequest(wire.headers, settings.userAgent)
        if !easy.hasTrust, wire.url.scheme == .https || proxy != nil { setTrust(settings.trust, trusted) }
        if !easy.hasProxyTrust, proxy?.isSecure == true { setProxyTrust(settings.trust, trusted) }
        setCallbacks()
        guard let problem = easy.problem else { return }
        throw TransportError(
            .unavailable,
            url: order.request.url,
            message:
                "libcurl did not take an option: \(String(cString: ccurl_error_text(problem))); version 7.80 or newer is needed"
        )
    }

    private func setAddress(_ url: WebURL, _ settings: TransportSettings) {
        easy.set(CURLOPT_URL, url.withoutFragment)
        // The empty text keeps libcurl from looking into the environment itself.
        easy.setProxy(proxy?.address ?? "", userAgent: settings.userAgent)
        easy.set(CURLOPT_FRESH_CONNECT, wantsFreshConnection)
        easy.set(CURLOPT_TIMEOUT_MS, milliseconds: deadline)
        let isSecure = url.scheme == .https
        easy.set(CURLOPT_HTTP_VERSION, isSecure ? Int(CURL_HTTP_VERSION_2TLS) : Int(CURL_HTTP_VERSION_1_1))
    }

    private func setRequest(_ headers: HTTPFields, _ userAgent: String) {
        let (method, body) = (order.request.method, order.request.body)
        let takesBody = [.post, .put, .patch].contains(method)
        if method == .head {
            easy.setOnce(CURLOPT_NOBODY, true)
        } else if takesBody || !body.isEmpty {
            easy.setBody(body)
        }
        if method != .get || !body.isEmpty, method != .head {
            easy.setOnce(CURLOPT_CUSTOMREQUEST, method.rawValue)
        }
        easy.setHeaders(headers, hasBody: takesBody || !body.isEmpty) { hasBody in
            Self.lines(of: headers, hasBody: hasBody, userAgent: userAgent)
        }
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

    private func setTrust(_ trust: TrustStore, _ trusted: TrustedFiles) {
        easy.hasTrust = true
        easy.set(CURLOPT_SSL_VERIFYPEER, true)
        easy.set(CURLOPT_SSL_VERIFYHOST, 2)
        easy.set(CURLOPT_SSLVERSION, Int(CURL_SSLVERSION_TLSv1_2))
        let isRead = easy.trust(trusted.certificates)
        // nil takes away what the library was built with, which would be loaded besides.
        easy.set(CURLOPT_CAINFO, trusted.bytes == nil && !isRead ? trust.file : nil)
        easy.set(CURLOPT_CAPATH, isRead ? nil : trust.folder)
        if !isRead, let bytes = trusted.bytes { easy.set(CURLOPT_CAINFO_BLOB, shared: bytes) }
    }

    /// A proxy is trusted as sources are; libcurl has options of their own for it, and not that of certificates in memory.
    private func setProxyTrust(_ trust: TrustStore, _ trusted: TrustedFiles) {
        easy.hasProxyTrust = true
        easy.set(CURLOPT_PROXY_SSLVERSION, Int(CURL_SSLVERSION_TLSv1_2))
        easy.set(CURLOPT_PROXY_CAINFO, trusted.bytes == nil ? trust.file : nil)
        easy.set(CURLOPT_PROXY_CAPATH, trust.folder)
        if let bytes = trusted.bytes { easy.set(CURLOPT_PROXY_CAINFO_BLOB, shared: bytes) }
    }

    private func setCallbacks() {
        let context = Unmanaged.passUnretained(self).toOpaque()
        easy.note(ccurl_set_pointer(easy.handle, CURLOPT_PRIVATE, context))
        setAnswerCallbacks(context)
        setConnectionCallbacks(context)
        setAddressCheck(context)
    }

    private func setAnswerCallbacks(_ context: UnsafeMutableRawPointer) {
        easy.note(
            ccurl_set_write(
                easy.handle,
                { bytes, size, count, context in
                    CurlTransfer.at(context) {
                        $0.takeBody(UnsafeRawBufferPointer(start: bytes, count: size * count))
                    } ?? 0
                },
                context
            )
        )
        easy.note(
            ccurl_set_header(
                easy.handle,
                { bytes, size, count, context in
                    CurlTransfer.at(context) {
                        $0.takeHeader(UnsafeRawBufferPointer(start: bytes, count: size * count)) ? size * count : 0
                    } ?? 0
                },
                context
            )
        )
    }

    private func setConnectionCallbacks(_ context: UnsafeMutableRawPointer) {
        easy.note(
            ccurl_set_open_socket(
                easy.handle,
                { context, _, address in
                    guard let transfer = CurlTransfer.at(context), let address, let peer = ccurl_address(address),
                        transfer.mayConnect(to: NetworkAddress(peer))
                    else { return CURL_SOCKET_BAD }
                    // Close-on-exec: no other program started meanwhile may inherit the connection.
                    let kind = address.pointee.socktype | Int32(SOCK_CLOEXEC.rawValue)
                    let opened = socket(address.pointee.family, kind, address.pointee.protocol)
                    if opened >= 0 { transfer.opened(opened) }
                    return opened
                },
                context
            )
        )
        // A connection outlives the transfer that opened it; the sockets live as long as the multi handle.
        easy.note(
            ccurl_set_close_socket(
                easy.handle,
                { context, descriptor in
                    guard let context else { return -1 }
                    return Unmanaged<OpenSockets>.fromOpaque(context).takeUnretainedValue().close(descriptor)
                },
                Unmanaged.passUnretained(sockets).toOpaque()
            )
        )
    }

    /// Also for a connection that is used again, where no socket is opened.
    private func setAddressCheck(_ context: UnsafeMutableRawPointer) {
        easy.note(
            ccurl_set_before_request(
                easy.handle,
                { context, peer, _, _, port in
                    guard let transfer = CurlTransfer.at(context), let peer,
                        let address = transfer.sockets.address(of: peer),
                        transfer.maySend(to: address, from: UInt16(clamping: port))
                    else { return CURL_PREREQFUNC_ABORT }
                    return CURL_PREREQFUNC_OK
                },
                context
            )
        )
    }

    /// Does something with a transfer that the multi handle holds meanwhile: these are called for each line of a head.
    private static func at<Result>(
        _ context: UnsafeMutableRawPointer?, _ body: (CurlTransfer) -> Result
    ) -> Result? {
        context.map { Unmanaged<CurlTransfer>.fromOpaque($0)._withUnsafeGuaranteedRef(body) }
    }

    private static func at(_ context: UnsafeMutableRawPointer?) -> CurlTransfer? {
        context.map { Unmanaged<CurlTransfer>.fromOpaque($0).takeUnretainedValue() }
    }
}

extension CurlEasy {
    /// Sets the options that are the same for all requests.
    func prepare(_ settings: TransportSettings) {
        guard !isPrepared else { return }
        isPrepared = true
        note(ccurl_allow_only_http(handle))
        set(CURLOPT_FOLLOWLOCATION, false)
        set(CURLOPT_NETRC, 0)
        set(CURLOPT_NOPROXY, "")
        set(CURLOPT_SUPPRESS_CONNECT_HEADERS, true)
        // Bodies are unpacked by the intake; libcurl would refuse what it cannot unpack. Chunks it still joins.
        set(CURLOPT_HTTP_CONTENT_DECODING, false)
        set(CURLOPT_NOSIGNAL, true)
        set(CURLOPT_CONNECTTIMEOUT_MS, milliseconds: settings.connectDeadline)
        // Made for every request over TLS, where what is sent is a few header lines.
        prefer(CURLOPT_UPLOAD_BUFFERSIZE, 16 << 10)
        // A name lookup that hangs must not hold up the thread when its transfer is called off.
        prefer(CURLOPT_QUICK_EXIT, 1)
    }
}
