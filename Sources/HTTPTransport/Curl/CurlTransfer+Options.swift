import CCurl
import Glibc
import HTTPTypes
import ProviderModel

extension CurlTransfer {
    /// Sets every option of the exchange.
    func configure(timeout: Duration, onFreshConnection: Bool) throws(TransportError) {
        var wire = WireRequest(url: request.url, headers: request.headers)
        try request.credentials?.apply(to: &wire)
        setProtocol(timeout: timeout)
        setAddress(wire.url, onFreshConnection: onFreshConnection)
        setRequest(wire.headers)
        if wire.url.scheme == .https || proxy != nil { setTrust(try multi.certificates.get()) }
        setCallbacks()
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
        easy.set(CURLOPT_CONNECTTIMEOUT_MS, milliseconds: multi.settings.connectDeadline)
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

    private func setRequest(_ headers: HTTPFields) {
        let (method, body) = (request.method, request.body)
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

    /// libcurl holds the transfer unretained: the multi handle keeps it as long as libcurl may call.
    private func setCallbacks() {
        let context = Unmanaged.passUnretained(self).toOpaque()
        easy.set(CURLOPT_PRIVATE, pointer: context)
        setResponseCallbacks(context)
        setSocketCallbacks(context)
        setAddressCheck(context)
    }

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
