import FoundationEssentials
import HTTPTypes
import ProviderModel

/// A client's request to the token endpoint (RFC 6749 §2.3.1, §4.4, §6).
struct OAuthClient {
    /// Where the client id and secret are sent.
    enum Identification {
        case inBody
        case inHeader
    }

    private let id: String
    private let secret: String

    init(_ credentials: Credentials) {
        id = credentials.secrets["client_id"] ?? ""
        secret = credentials.secrets["client_secret"] ?? ""
    }

    func request(
        _ form: [NamedValue],
        to url: WebURL,
        in scope: RequestScope,
        identifying: Identification
    ) -> TransportRequest {
        var form = form
        var headers: HTTPFields = [.contentType: "application/x-www-form-urlencoded", .accept: "application/json"]
        switch identifying {
        case .inBody: form += [NamedValue("client_id", id), NamedValue("client_secret", secret)]
        case .inHeader:
            let pair = "\(PercentEncoding.encode(id)):\(PercentEncoding.encode(secret))"
            headers[.authorization] = "Basic \(Data(pair.utf8).base64EncodedString())"
        }
        // The body carries the secret, and 307 would take it along: only the token server itself may get it.
        var scope = scope
        scope.hosts = [HostPattern(url.origin)].compactMap(\.self)
        return TransportRequest(
            method: .post,
            url: url,
            headers: headers,
            body: Array(FormEncoding.encode(form).utf8),
            scope: scope,
            bodyLimit: 1 << 20
        )
    }
}

/// A response of the token endpoint (RFC 6749 §5.1).
struct OAuthAnswer {
    let accessToken: String
    let lifetime: Int
    let refreshToken: String?

    private struct Fields: Decodable {
        var accessToken: String?
        var lifetime: Double?
        var refreshToken: String?
        var error: String?
        var explanation: String?

        enum CodingKeys: String, CodingKey {
            case accessToken = "access_token"
            case lifetime = "expires_in"
            case refreshToken = "refresh_token"
            case error
            case explanation = "error_description"
        }
    }

    init(_ response: TransportResponse, url: WebURL, provider: ProviderID) throws(TransportError) {
        // A response that is no JSON is reported by its status.
        let fields = try? JSONDecoder().decode(Fields.self, from: Data(response.body))
        guard response.status == 200, let token = fields?.accessToken, !token.isEmpty,
            !token.utf8.contains(where: \.breaksLines)
        else {
            let said = fields?.explanation ?? fields?.error ?? "status \(response.status) and no access token"
            throw TransportError(
                .authorization,
                url: url,
                message: "\(url.origin) returned no access token for \"\(provider)\": \(said.quoted)",
                hint: .several([
                    "check client_id and client_secret",
                    .storeKey(provider: provider.description, server: nil, variables: []),
                ]))
        }
        accessToken = token
        lifetime = min(max(fields?.lifetime.flatMap { Int(exactly: $0.rounded()) } ?? 3_600, 0), 86_400 * 365)
        refreshToken = fields?.refreshToken
    }
}
