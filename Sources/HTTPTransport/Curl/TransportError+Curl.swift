import CCurl
import ProviderModel

extension TransportError {
    /// What a failure of libcurl means to a caller; `certificate` is OpenSSL's verdict on the one that `peer` has.
    init(curl code: CURLcode, saying said: String, certificate: Int, of peer: SecuredPeer, url: WebURL, proxy: Proxy?) {
        let origin = proxy.map { "\(url.origin) through the proxy \($0)" } ?? url.origin
        let failure = CurlFailure(code, saying: said, certificate: certificate, of: peer, url: url, origin: origin)
        self.init(
            failure.code,
            url: url,
            message: "\(failure.found) (\(said)), expected \(failure.expected); \(failure.hint)",
            isRetriable: failure.code == .connection
        )
    }
}

/// A failure of libcurl in the words of its users.
private struct CurlFailure {
    let code: TransportError.Code
    let found: String
    let expected: String
    let hint: String

    /// `origin` also says through which proxy it was asked.
    init(_ code: CURLcode, saying said: String, certificate: Int, of peer: SecuredPeer, url: WebURL, origin: String) {
        switch code {
        case CURLE_COULDNT_RESOLVE_HOST:
            self.init(
                .connection, "no address was found", "the name of a server", "check the name and the network connection"
            )
        case CURLE_COULDNT_CONNECT:
            self.init(
                .connection, "\(origin) takes no connection", "a server", "try again later, or check the address")
        case CURLE_GOT_NOTHING, CURLE_SEND_ERROR, CURLE_RECV_ERROR, CURLE_HTTP2, CURLE_HTTP2_STREAM,
            CURLE_PARTIAL_FILE:
            self.init(.connection, "\(origin) broke off", "a whole answer", "try again later")
        case CURLE_OPERATION_TIMEDOUT:
            self.init(.timeout, "\(origin) took too long", "a whole answer by then", "try again later")
        case CURLE_PEER_FAILED_VERIFICATION, CURLE_SSL_ISSUER_ERROR:
            self.init(certificate: certificate, of: peer)
        case CURLE_SSL_CONNECT_ERROR, CURLE_SSL_CERTPROBLEM, CURLE_SSL_CIPHER, CURLE_SSL_INVALIDCERTSTATUS,
            CURLE_SSL_SHUTDOWN_FAILED:
            self.init(handshake: said, peer, origin: origin)
        case CURLE_SSL_CACERT_BADFILE:
            self.init(
                .tls, "the trusted certificates cannot be read", "PEM files", "check SSL_CERT_FILE and --ca-file")
        case CURLE_URL_MALFORMAT:
            self.init(.badRequest, "libcurl cannot use \(url.description.quoted)", "a URL", "mend it")
        default:
            self.init(
                .invalidAnswer, "\(origin) did not answer with HTTP", "an HTTP answer",
                "check that the address and the port are the source's")
        }
    }

    private init(_ code: TransportError.Code, _ found: String, _ expected: String, _ hint: String) {
        self.code = code
        self.found = found
        self.expected = expected
        self.hint = hint
    }

    private init(certificate verdict: Int, of peer: SecuredPeer) {
        let found = "the certificate of \(peer.name)"
        switch verdict {
        case Verdict.notYetValid, Verdict.expired:
            self.init(
                .tls, "\(found) is out of date", "one that is valid today",
                "check this machine's clock, or wait until \(peer.owner) renews it")
        case Verdict.accepted, Verdict.unjudged:
            self.init(.tls, "\(found) is another server's", "one for \(peer.host)", peer.adviceOnAddress)
        default:
            self.init(
                .tls, "\(found) cannot be trusted", "one from a known authority",
                "if the \(peer.kind)'s authority is your own, name its certificate with --ca-file")
        }
    }

    private init(handshake said: String, _ peer: SecuredPeer, origin: String) {
        let isBrokenOff = Verdict.brokenOff.contains(where: said.contains)
        let name = peer.isProxy ? peer.name : origin
        self.init(
            isBrokenOff ? .connection : .tls, "no secure connection to \(name) came about", "TLS 1.2 or newer",
            isBrokenOff ? "try again later" : peer.adviceOnHandshake)
    }
}

/// OpenSSL's verdicts on a certificate (`X509_V_…`) that a user can do something about.
private enum Verdict {
    static let accepted = 0
    /// libcurl compares the host itself, before it asks OpenSSL for its verdict.
    static let unjudged = 1
    static let notYetValid = 9
    static let expired = 10
    /// What libcurl says when the connection ended in the handshake; there is no code for it.
    static let brokenOff = ["SSL_ERROR_SYSCALL", "Connection reset by peer", "unexpected eof"]
}
