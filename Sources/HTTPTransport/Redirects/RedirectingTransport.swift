import HTTPTypes
import ProviderModel

/// Keeps requests within the provider's hosts, and follows redirects under the same rules.
package struct RedirectingTransport: Transport {
    /// The most redirects that are followed for one request.
    package static var limit: Int { 10 }

    private let base: any Transport
    private let deadline: Duration
    private let total: Duration?
    private let now: @Sendable () -> ContinuousClock.Instant

    /// Wraps the transport that sends single requests; `deadline` is for those that name none.
    ///
    /// All hops of a request together may take `total`, waits for rate limits included; nil for no more than one of them.
    package init(
        over base: any Transport,
        deadline: Duration = .seconds(60),
        total: Duration? = nil,
        now: @escaping @Sendable () -> ContinuousClock.Instant = { .now }
    ) {
        self.base = base
        self.deadline = deadline
        self.total = total
        self.now = now
    }

    /// Returns the response at the end of all redirects, which share the time of one request.
    package nonisolated(nonsending) func send(_ request: TransportRequest) async throws -> TransportResponse {
        try request.scope.check(request.url)
        let start = now()
        let response = try await base.send(request)
        guard Redirect.isOne(response),
            let next = try Redirect(from: request, answer: response, first: request)?.request
        else { return response }
        return try await follow(next, from: request, answer: response, since: start)
    }

    /// Follows a redirect, and those that it leads to; most requests never get here.
    private func follow(
        _ next: TransportRequest, from request: TransportRequest, answer: TransportResponse,
        since start: ContinuousClock.Instant
    ) async throws -> TransportResponse {
        let single = request.deadline ?? deadline
        let end = start + (total ?? single)
        var hop = next
        var visited: Set<WebURL> = [request.url]
        var cookies = RedirectCookies()
        cookies.take(from: answer, to: request, for: &hop)
        for _ in 0..<Self.limit {
            hop.deadline = min(single, now().duration(to: end))
            guard now() < end else { break }
            // What was stored of the first visit is what led away.
            if !visited.insert(hop.url).inserted { hop.headers[.cacheControl] = "no-cache" }
            let response = try await base.send(hop)
            guard var next = try Redirect(from: hop, answer: response, first: request)?.request else { return response }
            cookies.take(from: response, to: hop, for: &next)
            hop = next
        }
        if now() >= end { throw lateError(for: request, at: hop.url) }
        throw TransportError(
            .tooManyRedirects,
            url: request.url,
            message: "\(request.url.origin) redirected more than \(Self.limit) times, the last time to "
                + "\(hop.url.description.quoted)",
            hint:
                "the source redirects in a loop or needs the cookies of a login: change the URL that the provider requests"
        )
    }

    private func lateError(for request: TransportRequest, at url: WebURL) -> TransportError {
        TransportError(
            .timeout,
            url: request.url,
            message: "\(request.url.origin) redirected for \(total ?? request.deadline ?? deadline), the last time to "
                + "\(url.description.quoted)", hint: "try again later")
    }
}

/// The cookies that the redirects of one request set: they go to its next hops, as in a browser, and end with it.
private struct RedirectCookies {
    private var jar = CookieJar()

    /// Takes the cookies of an answer, and puts all that match into the next request.
    ///
    /// Every hop is one of the request's hosts. The cookies of a login are not among them: its transport has kept them.
    mutating func take(from answer: TransportResponse, to hop: TransportRequest, for next: inout TransportRequest) {
        let now = WallClock.secondsSince1970
        _ = jar.take(answer.headers[values: .setCookie], from: hop.url, at: now)
        next.redirectCookies = jar.header(for: next.url, at: now)
    }
}

/// The request that a redirect leads to, decided without I/O.
package struct Redirect: Sendable {
    /// The next request.
    package let request: TransportRequest

    /// Evaluates a response; nil when it is not a redirect, an error when it leads outside the scope.
    package init?(from hop: TransportRequest, answer: TransportResponse, first: TransportRequest) throws(TransportError)
    {
        guard Self.isOne(answer), let location = try Self.location(of: answer) else { return nil }
        let target = try Self.target(of: location, from: hop)
        try hop.scope.check(target, because: "\(hop.url.origin) redirects to another host: ")
        var next = hop
        next.url = first.credentials.map { target.removingQuery(named: $0.masked.query) } ?? target
        if Self.becomesGet(answer.status, hop.method) { next.dropBody() }
        // After a hop to another origin, credentials stay removed: that server chose the following URLs.
        if !target.isSameOrigin(as: hop.url) { next.dropCredentials() }
        if !target.isSameServer(as: hop.url) { next.dropOwnHeaders() }
        request = next
    }

    /// Whether a response is a redirect with a location.
    package static func isOne(_ answer: TransportResponse) -> Bool { statuses.contains(answer.status) }

    private static let statuses = [301, 302, 303, 307, 308]

    /// The URL that the response leads to; several `Location` lines are an error.
    private static func location(of answer: TransportResponse) throws(TransportError) -> String? {
        let locations = answer.headers[values: .location].filter { !$0.isEmpty }
        guard Set(locations).count > 1 else { return locations.first }
        throw TransportError(
            .invalidAnswer,
            url: answer.url,
            message: "\(answer.url.origin) redirects to \(locations.map(\.quoted).joined(separator: " and to ")) "
                + "(expected one place)", hint: "try again later, or report it to the source")
    }

    private static func target(of location: String, from hop: TransportRequest) throws(TransportError) -> WebURL {
        do throws(InvalidURL) {
            return try hop.url.resolving(location)
        } catch {
            throw TransportError(
                .refusedHost,
                url: hop.url,
                message: "\(hop.url.origin) redirects to \(error) (expected an http or https URL)",
                hint: "report it to the source, or change the URL that the provider requests",
                cause: error
            )
        }
    }

    /// The Fetch standard, HTTP-redirect fetch, step 12.
    private static func becomesGet(_ status: Int, _ method: HTTPRequest.Method) -> Bool {
        switch status {
        case 301, 302: method == .post
        case 303: method != .get && method != .head
        default: false
        }
    }
}

extension TransportRequest {
    fileprivate mutating func dropBody() {
        method = .get
        body = []
        upload = nil
        for name in [.contentType, .contentEncoding, .contentLanguage, .contentLocation] as [HTTPField.Name] {
            headers[name] = nil
        }
    }

    fileprivate mutating func dropOwnHeaders() {
        for name in ownHeaders { headers[name] = nil }
        ownHeaders = []
    }

    fileprivate mutating func dropCredentials() {
        for name in credentials?.headerNames ?? [] { headers[name] = nil }
        credentials = nil
        headers[.authorization] = nil
        headers[.cookie] = nil
    }
}

extension WebURL {
    /// Whether the other URL leads to the same origin, or from its plain http to its https.
    fileprivate func isSameServer(as other: WebURL) -> Bool {
        isSameOrigin(as: other) || host == other.host && scheme == .https && other.scheme == .http
    }
}
