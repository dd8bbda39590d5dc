import CCurl
import ProviderModel

extension CurlTransfer {
    /// What a caller gets when the proxy is to blame, and not the server behind it; nil when it is not known to be.
    func proxyError(_ proxy: Proxy, for result: CURLcode, saying said: String) -> TransportError? {
        let refusal = easy.number(CURLINFO_HTTP_CONNECTCODE)
        let found: String
        var isRetriable = false
        switch result {
        // Of a scheme that is none, libcurl says that it could not connect, of other text that it did not find the proxy.
        case _ where said.hasPrefix("Unsupported proxy"):
            found = "the proxy \(proxy) cannot be used"
        case CURLE_COULDNT_RESOLVE_PROXY: found = "the proxy \(proxy) cannot be found"
        case _ where refusal >= 300:
            return proxyError(proxy, refusing: refusal, isRetriable: refusal >= 500)
        case CURLE_COULDNT_CONNECT:
            found = "the proxy \(proxy) takes no connection"
            isRetriable = true
        case CURLE_PROXY:
            found = "the proxy \(proxy) made no connection to \(request.url.origin)"
            isRetriable = true
        default: return nil
        }
        return proxyError(proxy, "\(found) (\(said))", isRetriable: isRetriable)
    }

    /// What a caller gets whose proxy answers in place of the server; nil for an answer of the server.
    func proxyError(_ proxy: Proxy, for head: ResponseHead) -> TransportError? {
        head.status == Self.wantsPassword ? proxyError(proxy, refusing: head.status) : nil
    }

    /// Who was to show a certificate: the proxy, until it has answered to CONNECT, or always where the source has none.
    var securedPeer: SecuredPeer {
        guard let proxy, proxy.isSecure,
            request.url.scheme == .http || easy.number(CURLINFO_HTTP_CONNECTCODE) == 0
        else { return .source(request.url) }
        return .proxy(proxy)
    }

    /// RFC 9110 §15.5.8: no server but a proxy has it.
    private static let wantsPassword = 407

    private func proxyError(_ proxy: Proxy, refusing status: Int, isRetriable: Bool = false) -> TransportError {
        let missing = status == Self.wantsPassword ? ", which says that it wants a name and a password" : ""
        return proxyError(
            proxy, "the proxy \(proxy) answered \(status) when it was asked for \(request.url.origin)\(missing)",
            isRetriable: isRetriable)
    }

    private func proxyError(_ proxy: Proxy, _ found: String, isRetriable: Bool) -> TransportError {
        TransportError(
            .connection,
            url: request.url,
            message: "\(found), expected a proxy that passes requests on; check \(proxy.variable), "
                + "or name \(request.url.host) in no_proxy to do without it",
            isRetriable: isRetriable
        )
    }
}
