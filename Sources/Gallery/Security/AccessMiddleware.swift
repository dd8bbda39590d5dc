import HTTPTypes
import Hummingbird
import ProviderModel
import Synchronization

/// Refuses whoever may not ask, exchanges the link's token for a cookie, and marks every answer so that a browser takes it
/// for nothing but what it is.
struct AccessMiddleware: RouterMiddleware {
    let policy: AccessPolicy
    /// The token of the link, and the cookie's value that it is exchanged for; nil for programs.
    let link: LinkToken?
    /// The page that says how to get in; nil for programs.
    let files: PageFiles?

    func handle(
        _ request: Request, context: GalleryContext, next: (Request, GalleryContext) async throws -> Response
    ) async throws -> Response {
        var response: Response
        do { response = try await answer(request, context, next) } catch let error as AccessPolicy.Refusal {
            response = try answer(to: error, request, context)
        } catch let error as any HTTPResponseError {
            response = try error.response(from: request, context: context)
        }
        for field in Self.fields { response.headers[field.name] = field.value }
        if let origin = policy.sharedOrigin(of: request.head) { response.share(with: origin) }
        return response
    }

    private func answer(
        _ request: Request, _ context: GalleryContext, _ next: (Request, GalleryContext) async throws -> Response
    ) async throws -> Response {
        try policy.checkOrigin(request.head)
        if request.method == .options, policy.sharedOrigin(of: request.head) != nil {
            // A browser asks before it sends a token (Fetch, §4.8).
            return Response(status: .noContent)
        }
        if request.uri.path == "/", request.method == .get, let link {
            let query = try QueryParameters(request)
            if let token = query.values("token").first {
                return try enter(with: token, link, request)
            }
        }
        // Whether the server runs is no secret: supervisors and proxies ask without a token.
        // The page's own files are none either: one that was open before has to be able to say how to get in.
        let isPublic =
            request.uri.path == "/api/v1/health" || link != nil && request.uri.path.hasPrefix("/assets/")
        if !isPublic { try policy.checkAuthentication(request.head) }
        return try await next(request, context)
    }

    /// Answers the link: a cookie, and the same address without the token, which works once.
    private func enter(with token: String, _ link: LinkToken, _ request: Request) throws -> Response {
        let rest = (request.uri.query ?? "").split(separator: "&").filter { !$0.hasPrefix("token=") }
        var headers: HTTPFields = [
            .location: rest.isEmpty ? "/" : "/?\(rest.joined(separator: "&"))", .cacheControl: "no-store",
        ]
        if !policy.isAuthenticated(request.head) {
            guard link.use(token) else { throw AccessPolicy.Refusal.authentication }
            headers[.setCookie] = "\(policy.cookieName)=\(link.session); Path=/; HttpOnly; SameSite=Strict"
        }
        return Response(status: .seeOther, headers: headers)
    }

    private func answer(
        to refusal: AccessPolicy.Refusal, _ request: Request, _ context: GalleryContext
    ) throws -> Response {
        let error = error(refusal)
        // Somebody opened the page itself: a sentence reads better than JSON.
        guard request.uri.path == "/", link != nil else { return try error.response(from: request, context: context) }
        if case .authentication = refusal, let files, var page = try? files.file(named: "signed-out.html", request) {
            page.status = error.status
            page.headers.append(contentsOf: error.headers)
            page.headers[.cacheControl] = "no-store"
            page.headers[.eTag] = nil
            return page
        }
        let text = "error: \(error.message)\n" + (error.hint.map { "hint: \($0)\n" } ?? "")
        var headers = error.headers
        headers[.contentType] = "text/plain; charset=utf-8"
        headers[.cacheControl] = "no-store"
        return Response(status: error.status, headers: headers, body: .init(byteBuffer: ByteBuffer(string: text)))
    }

    private func error(_ refusal: AccessPolicy.Refusal) -> APIError {
        switch refusal {
        case .host:
            APIError(
                .misdirectedRequest, "host", "the request's Host is not a name of this server",
                hint: "use the address that the server prints")
        case .origin: APIError(.forbidden, "origin", "the request comes from a page of another origin")
        case .authentication:
            APIError(
                .unauthorized, "token", "found no session and no valid token",
                hint: link == nil
                    ? "send the token as Authorization: Bearer"
                    : "the link that imgscript gallery prints works once; run it again for a new one",
                headers: [.wwwAuthenticate: "Bearer"])
        }
    }

    private static let fields: [HTTPField] = [
        HTTPField(
            name: .contentSecurityPolicy,
            value: "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob:; media-src 'self'; "
                + "connect-src 'self'; form-action 'none'; frame-ancestors 'none'; base-uri 'none'"),
        HTTPField(name: .xContentTypeOptions, value: "nosniff"),
        HTTPField(name: .init("Referrer-Policy")!, value: "no-referrer"),
        HTTPField(name: .init("Cross-Origin-Opener-Policy")!, value: "same-origin"),
        HTTPField(name: .init("Cross-Origin-Resource-Policy")!, value: "same-origin"),
    ]
}

/// The token of the link that the browser is opened with, which works once.
final class LinkToken: Sendable {
    /// The token.
    let token = LinkToken.random()
    /// The cookie's value that it is exchanged for.
    let session: String
    /// The folder with the tokens of further links; nil for none.
    private let folder: GalleryFolder?
    private let isUsed = Mutex(false)

    init(session: String = LinkToken.random(), folder: GalleryFolder? = nil) {
        self.session = session
        self.folder = folder
    }

    /// Whether this is the token of a link, and the first time that it comes.
    func use(_ token: String) -> Bool {
        guard token == self.token else { return folder?.take(token) ?? false }
        return isUsed.withLock { isUsed in
            defer { isUsed = true }
            return !isUsed
        }
    }

    /// 256 random bits from the system.
    static func random() -> String {
        var generator = SystemRandomNumberGenerator()
        return (0..<4).map { _ in generator.next() as UInt64 }.flatMap { number in
            withUnsafeBytes(of: number) { Array($0) }
        }.hexadecimal
    }
}

extension Response {
    /// Lets pages of another origin read this answer (Fetch, §3.3).
    fileprivate mutating func share(with origin: String) {
        headers[.accessControlAllowOrigin] = origin
        headers[.vary] = "Origin"
        headers[.accessControlAllowMethods] = "GET, HEAD, POST, PUT, DELETE"
        headers[.accessControlAllowHeaders] = "Authorization, Content-Type"
        headers[.accessControlExposeHeaders] = "Location, Retry-After"
        headers[.accessControlMaxAge] = "600"
        headers[.init("Cross-Origin-Resource-Policy")!] = "cross-origin"
    }
}
