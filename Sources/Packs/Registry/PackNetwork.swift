import HTTPTransport
import HTTPTypes
import ProviderModel

/// The transport to registries and tarballs: https, or what the user allowed.
package struct PackNetwork: Sendable {
    private static let provider: ProviderID = {
        guard let id = ProviderID("packs") else { preconditionFailure("the name of packs does not parse") }
        return id
    }()

    private let transport: any Transport
    /// The private hosts that requests may reach, also over plain http.
    let allowedHosts: AllowedHosts

    /// A network; the transport follows redirects and checks addresses.
    package init(over transport: any Transport, allowedHosts: AllowedHosts) {
        self.transport = transport
        self.allowedHosts = allowedHosts
    }

    /// The answer to a GET, whatever its status; a key goes to this very origin alone.
    func get(
        _ url: WebURL, accept: String, authorization: String? = nil, limit: Int, deadline: Duration = .seconds(300)
    ) async throws -> TransportResponse {
        try checkScheme(of: url)
        var headers: HTTPFields = [.accept: accept]
        // Dropped by the redirects where they lead to another origin.
        if let authorization { headers[.authorization] = authorization }
        let scope = RequestScope(provider: Self.provider, hosts: hosts(for: url))
        var request = TransportRequest(
            url: url, headers: headers, scope: scope, bodyLimit: limit, deadline: deadline)
        request.masking = AddressSecrets.masked
        do {
            return try await transport.send(request)
        } catch let error as TransportError where error.code == .refusedHost {
            throw PackError(
                .refused, "\(url.origin) redirects to an insecure URL: \(error.url?.origin ?? "elsewhere")",
                hint: "report it to the operator of the server", cause: error)
        } catch let error as TransportError {
            let shown = AddressSecrets.masked(url.description)
            throw PackError(
                .registry, error.message.replacing(url.description, with: shown), subject: shown, cause: error)
        }
    }

    /// The body of an answer that has to be there.
    func content(
        of url: WebURL, accept: String, authorization: String? = nil, limit: Int, deadline: Duration = .seconds(300)
    ) async throws -> [UInt8] {
        let response = try await get(
            url, accept: accept, authorization: authorization, limit: limit, deadline: deadline)
        guard response.status == 200 else { throw Self.failure(response.status, url, hadKey: authorization != nil) }
        return response.body
    }

    /// The error of a status that is not a success.
    static func failure(_ status: Int, _ url: WebURL, hadKey: Bool) -> PackError {
        switch status {
        case 401, 403:
            PackError(
                .registry,
                "\(url.origin) answered \(status) for \(url.path): "
                    + (hadKey ? "the key in .npmrc was rejected" : "a key is required"),
                subject: url.origin,
                hint: "add //\(url.authority)/:_authToken=${NPM_TOKEN} to ~/.npmrc, and set NPM_TOKEN to the key")
        case 404, 410:
            PackError(.registry, "\(url.origin) has no \(url.path) (\(status))", subject: url.origin)
        default:
            PackError(
                .registry, "\(url.origin) answered \(status) for \(url.path) (expected 200)", subject: url.origin,
                hint: "try again later")
        }
    }

    private func hosts(for url: WebURL) -> [HostPattern] {
        // Any host over https: what comes is verified by its digest and its signature, not by its place.
        let texts = ["*"] + (url.scheme == .http ? ["http://\(url.authority)"] : [])
        return texts.compactMap { HostPattern($0) }
    }

    private func checkScheme(of url: WebURL) throws(PackError) {
        guard url.scheme == .http, !url.isLoopback, !allowedHosts.admits(url) else { return }
        throw PackError(
            .refused, "\(url.origin) is plain http, which can be changed in transit", subject: url.origin,
            hint: .several(["use https", .allowHost(url.authority)]))
    }
}
