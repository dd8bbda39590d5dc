import CCurl
import HTTPTypes
import ProviderModel

extension CurlTransfer {
    /// What the caller gets.
    func outcome(of result: CURLcode) -> Result<TransportResponse, any Error> {
        if let failure { return .failure(failure) }
        guard result == CURLE_OK else { return .failure(error(for: result)) }
        guard let head else {
            let message =
                "\(request.url.origin) closed the connection before its answer began, expected an HTTP answer; "
                + "try again later"
            return .failure(TransportError(.connection, url: request.url, message: message, isRetriable: true))
        }
        if let proxy, let error = proxyError(proxy, for: head) { return .failure(error) }
        do throws(TransportError) { try body.finish() } catch { return .failure(error) }
        return .success(
            TransportResponse(
                status: head.status,
                url: request.url,
                headers: head.headers,
                body: redaction?.redact(body.bytes) ?? body.bytes,
                version: version
            )
        )
    }

    /// The protocol's version as people write it.
    var version: String {
        switch easy.number(CURLINFO_HTTP_VERSION) {
        case Int(CURL_HTTP_VERSION_1_0): "1.0"
        case Int(CURL_HTTP_VERSION_2_0): "2"
        case Int(CURL_HTTP_VERSION_3): "3"
        default: "1.1"
        }
    }

    private func error(for result: CURLcode) -> TransportError {
        if let refusedAddress, let kind = refusedAddress.special,
            result == CURLE_COULDNT_CONNECT || result == CURLE_ABORTED_BY_CALLBACK
        {
            return Self.privateAddressError(request.url, address: refusedAddress.description, kind: kind)
        }
        let text = easy.failureText.isEmpty ? String(cString: ccurl_error_text(result)) : easy.failureText
        var said = text.trimmingBlanks
        if let redaction { said = redaction.redact(said) }
        if let proxy { said = proxy.redact(said) }
        if let proxy, let error = proxyError(proxy, for: result, saying: said) { return error }
        let peer = securedPeer
        return TransportError(
            curl: result,
            saying: said,
            certificate: easy.number(peer.isProxy ? CURLINFO_PROXY_SSL_VERIFYRESULT : CURLINFO_SSL_VERIFYRESULT),
            of: peer,
            url: request.url,
            proxy: proxy
        )
    }

    /// What a caller whose request led to a private network gets.
    static func privateAddressError(_ url: WebURL, address: String, kind: String) -> TransportError {
        let leads = url.host == address ? "is" : "leads to \(address),"
        return TransportError(
            .privateAddress,
            url: url,
            message: "\(url.host) \(leads) a \(kind) address, which is not asked unless you allow it; "
                + "pass --allow-host \(url.host):\(url.port) if you trust it"
        )
    }
}
