import CCurl
import ProviderModel

extension CurlTransfer {
    /// The response or the error, once libcurl has ended the transfer.
    func outcome(of result: CURLcode) -> Result<TransportResponse, any Error> {
        if let failure { return .failure(failure) }
        guard result == CURLE_OK else { return .failure(error(for: result)) }
        guard let head else {
            return .failure(
                TransportError(
                    .connection, url: request.url,
                    message: "\(request.url.origin) closed the connection without a response", hint: "try again later",
                    isRetriable: true))
        }
        // RFC 9110 §15.5.8: no server but a proxy answers 407.
        if let proxy, head.status == 407 {
            return .failure(TransportError.proxy(proxy, refusing: 407, of: request.url))
        }
        do throws(TransportError) { try body.finish() } catch { return .failure(error) }
        return .success(
            TransportResponse(
                status: head.status,
                url: request.url,
                headers: head.headers,
                body: redaction?.redact(body.bytes) ?? body.bytes,
                version: head.version
            )
        )
    }

    private func error(for result: CURLcode) -> TransportError {
        if let refusedAddress, let kind = refusedAddress.special,
            result == CURLE_COULDNT_CONNECT || result == CURLE_ABORTED_BY_CALLBACK
        {
            return .privateAddress(request.url, kind: kind, address: refusedAddress.description)
        }
        if result == CURLE_OPERATION_TIMEDOUT { return timeout }
        let text = easy.failureText.isEmpty ? String(cString: curl_easy_strerror(result)) : easy.failureText
        var detail = text.trimmingWhitespace
        if let redaction { detail = redaction.redact(detail) }
        if let proxy {
            detail = proxy.redact(detail)
            if let error = proxyError(proxy, result, detail) { return error }
        }
        let peer = tlsPeer
        let failure = CurlFailure(
            result, detail,
            verdict: easy.number(peer.isProxy ? CURLINFO_PROXY_SSL_VERIFYRESULT : CURLINFO_SSL_VERIFYRESULT),
            peer: peer, url: request.url, proxy: proxy)
        // libcurl's text about a name that it could not resolve repeats the message.
        let more = result == CURLE_COULDNT_RESOLVE_HOST ? "" : " (\(detail))"
        return TransportError(
            failure.code, url: request.url, message: failure.message + more, hint: failure.hint,
            isRetriable: failure.code == .connection)
    }

    /// The error of the time limit that ended the exchange.
    private var timeout: TransportError {
        let origin = proxy.map { "\(request.url.origin) through the proxy \($0)" } ?? request.url.origin
        let whole = request.deadline ?? multi.settings.deadline
        guard stall.hasBegun || whole < connection.connectDeadline else {
            return TransportError(
                .timeout, url: request.url,
                message: "\(origin) timed out: no connection within \(connection.connectDeadline)",
                hint: .raiseConnectTimeout)
        }
        return TransportError(
            .timeout, url: request.url, message: "\(origin) timed out: the response did not end within \(whole)",
            hint: "try again later")
    }

    /// The error of a proxy that caused the failure; nil when the cause is unknown or the server.
    private func proxyError(_ proxy: Proxy, _ result: CURLcode, _ detail: String) -> TransportError? {
        let status = easy.number(CURLINFO_HTTP_CONNECTCODE)
        switch result {
        // For an unknown scheme libcurl reports a failed connection, for other text a proxy that was not found.
        case _ where detail.hasPrefix("Unsupported proxy"):
            return .proxy(proxy, "could not use the proxy \(proxy) (\(detail))", for: request.url)
        case CURLE_COULDNT_RESOLVE_PROXY:
            return .proxy(proxy, "could not resolve the proxy \(proxy) (\(detail))", for: request.url)
        case _ where status >= 300: return .proxy(proxy, refusing: status, of: request.url)
        case CURLE_COULDNT_CONNECT:
            return .proxy(
                proxy, "could not connect to the proxy \(proxy) (\(detail))", for: request.url, isRetriable: true)
        case CURLE_PROXY:
            let message = "the proxy \(proxy) did not connect to \(request.url.origin) (\(detail))"
            return .proxy(proxy, message, for: request.url, isRetriable: true)
        default: return nil
        }
    }

    /// The peer whose certificate is verified: the proxy until it has answered CONNECT, and for plain http; else the source.
    private var tlsPeer: TLSPeer {
        guard let proxy, proxy.isSecure,
            request.url.scheme == .http || easy.number(CURLINFO_HTTP_CONNECTCODE) == 0
        else { return .source(request.url) }
        return .proxy(proxy)
    }
}

// MARK: - Errors

extension TransportError {
    /// The error of a request that led outside the public internet.
    static func privateAddress(_ url: WebURL, kind: String, address: String) -> TransportError {
        let host = url.host == address ? address : "\(url.host) (\(address))"
        return TransportError(
            .privateAddress, url: url, message: "\(host): \(kind) addresses are blocked",
            hint: .allowHost("\(url.host):\(url.port)"))
    }

    fileprivate static func proxy(_ proxy: Proxy, refusing status: Int, of url: WebURL) -> TransportError {
        let missing = status == 407 ? ": it requires a user name and a password" : ""
        return .proxy(
            proxy, "the proxy \(proxy) answered \(status) to a request for \(url.origin)\(missing)", for: url,
            isRetriable: status >= 500)
    }

    fileprivate static func proxy(
        _ proxy: Proxy, _ message: String, for url: WebURL, isRetriable: Bool = false
    ) -> TransportError {
        TransportError(
            .connection, url: url, message: message,
            hint: "check \(proxy.variable), or add \(url.host) to no_proxy", isRetriable: isRetriable)
    }
}

// MARK: - TLS

/// The peer whose certificate is verified: the source, or the proxy in front of it.
private enum TLSPeer {
    case source(WebURL)
    case proxy(Proxy)

    var isProxy: Bool { if case .proxy = self { true } else { false } }

    var name: String {
        switch self {
        case .source(let url): url.origin
        case .proxy(let proxy): "the proxy \(proxy)"
        }
    }

    /// The name that its certificate has to be for.
    var host: String {
        switch self {
        case .source(let url): url.host
        case .proxy(let proxy): proxy.host
        }
    }
}

/// Code, message and hint for a failure of libcurl.
private struct CurlFailure {
    let code: TransportError.Code
    let message: String
    var hint: Hint?

    /// Translates a result; `verdict` is OpenSSL's verification result for the certificate of `peer`.
    init(_ result: CURLcode, _ detail: String, verdict: Int, peer: TLSPeer, url: WebURL, proxy: Proxy?) {
        let origin = proxy.map { "\(url.origin) through the proxy \($0)" } ?? url.origin
        switch result {
        case CURLE_COULDNT_RESOLVE_HOST:
            self.init(
                .connection, "could not resolve host \(url.host)", hint: "check the name and the network connection")
        case CURLE_COULDNT_CONNECT:
            self.init(.connection, "could not connect to \(origin)", hint: "try again later, or check the address")
        case CURLE_GOT_NOTHING, CURLE_SEND_ERROR, CURLE_RECV_ERROR, CURLE_HTTP2, CURLE_HTTP2_STREAM,
            CURLE_PARTIAL_FILE:
            self.init(
                .connection, "\(origin) closed the connection before the end of the response", hint: "try again later")
        case CURLE_PEER_FAILED_VERIFICATION, CURLE_SSL_ISSUER_ERROR: self.init(certificate: verdict, of: peer)
        case CURLE_SSL_CONNECT_ERROR, CURLE_SSL_CERTPROBLEM, CURLE_SSL_CIPHER, CURLE_SSL_INVALIDCERTSTATUS,
            CURLE_SSL_SHUTDOWN_FAILED:
            self.init(handshake: detail, with: peer, origin: origin)
        case CURLE_SSL_CACERT_BADFILE:
            self.init(
                .tls, "could not read the trusted certificates (expected PEM files)",
                hint: "check SSL_CERT_FILE, SSL_CERT_DIR and CURL_CA_BUNDLE")
        case CURLE_URL_MALFORMAT: self.init(.badRequest, "\(url.description.quoted) is not a valid URL for libcurl")
        default:
            self.init(
                .invalidAnswer, "\(origin) sent no HTTP response",
                hint: "check the host and the port")
        }
    }

    private init(_ code: TransportError.Code, _ message: String, hint: Hint? = nil) {
        self.code = code
        self.message = message
        self.hint = hint
    }

    private init(certificate verdict: Int, of peer: TLSPeer) {
        let subject = "the certificate of \(peer.name)"
        switch verdict {
        case Verdict.notYetValid, Verdict.expired:
            self.init(
                .tls, "\(subject) has expired or is not yet valid", hint: "check the clock of this machine")
        case Verdict.accepted, Verdict.unjudged:
            let hint: Hint =
                switch peer {
                case .source: "check the address, and that no network login intercepts the connection"
                case .proxy(let proxy): "check the name in \(proxy.variable)"
                }
            self.init(.tls, "\(subject) is not for \(peer.host)", hint: hint)
        default: self.init(.tls, "\(subject) is not issued by a trusted authority", hint: .trustCertificate)
        }
    }

    private init(handshake detail: String, with peer: TLSPeer, origin: String) {
        let isBrokenOff = Verdict.closed.contains(where: detail.contains)
        let message = "no TLS connection to \(peer.isProxy ? peer.name : origin) (expected TLS 1.2 or newer)"
        guard !isBrokenOff else {
            self.init(.connection, message, hint: "try again later")
            return
        }
        switch peer {
        case .source: self.init(.tls, message, hint: "check the address and the port")
        case .proxy(let proxy):
            self.init(
                .tls, message,
                hint: "check \(proxy.variable): most proxies are addressed with http://, for https too")
        }
    }
}

/// OpenSSL's verification results (`X509_V_…`) that have a hint of their own.
private enum Verdict {
    static let accepted = 0
    /// libcurl compares the host name itself, before OpenSSL verifies the certificate.
    static let unjudged = 1
    static let notYetValid = 9
    static let expired = 10
    /// What libcurl says when the connection was closed in the handshake; there is no code for it.
    static let closed = ["SSL_ERROR_SYSCALL", "Connection reset by peer", "unexpected eof"]
}
