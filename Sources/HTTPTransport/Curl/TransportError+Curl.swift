import CCurl
import ProviderModel

extension TransportError {
    /// What a failure of libcurl means to a caller.
    init(curl code: CURLcode, saying said: String, url: WebURL) {
        let origin = url.origin
        switch code {
        case CURLE_COULDNT_RESOLVE_HOST, CURLE_COULDNT_RESOLVE_PROXY:
            self.init(
                .connection,
                url: url,
                message: "\(said); check the name and the network connection",
                isRetriable: true
            )
        case CURLE_COULDNT_CONNECT, CURLE_SEND_ERROR, CURLE_RECV_ERROR, CURLE_GOT_NOTHING, CURLE_HTTP2,
            CURLE_HTTP2_STREAM:
            self.init(.connection, url: url, message: "\(origin): \(said); try again later", isRetriable: true)
        case CURLE_PARTIAL_FILE:
            self.init(
                .connection,
                url: url,
                message: "\(origin) closed the connection in the middle of its answer: \(said)",
                isRetriable: true
            )
        case CURLE_OPERATION_TIMEDOUT:
            self.init(
                .timeout,
                url: url,
                message: "\(origin) took too long: \(said); try again later, or allow more time"
            )
        case CURLE_SSL_CONNECT_ERROR, CURLE_PEER_FAILED_VERIFICATION, CURLE_SSL_CERTPROBLEM, CURLE_SSL_CIPHER,
            CURLE_SSL_ISSUER_ERROR, CURLE_SSL_INVALIDCERTSTATUS, CURLE_SSL_SHUTDOWN_FAILED:
            self.init(
                .tls,
                url: url,
                message: "\(origin) has no connection that can be trusted: \(said); "
                    + "if the server's authority is your own, name its certificate with --ca-file"
            )
        case CURLE_SSL_CACERT_BADFILE:
            self.init(
                .tls,
                url: url,
                message: "the trusted certificates cannot be read: \(said); check SSL_CERT_FILE and --ca-file"
            )
        case CURLE_FILESIZE_EXCEEDED:
            self.init(.tooLarge, url: url, message: "\(origin) sent too much: \(said)")
        case CURLE_URL_MALFORMAT:
            self.init(.badRequest, url: url, message: "libcurl cannot use \(url.description.quoted): \(said)")
        default:
            self.init(
                .invalidAnswer,
                url: url,
                message: "\(origin) did not answer as HTTP expects: \(said) (libcurl error \(code.rawValue))"
            )
        }
    }
}
