import Crypto
import HTTPTypes
import ProviderModel

/// Who may ask this server, decided by a request's head alone.
struct AccessPolicy: Sendable {
    /// Why a request is refused.
    enum Refusal: Error, Equatable {
        /// Asked under a name that is not the server's: DNS rebinding.
        case host
        /// Sent by a page of another origin.
        case origin
        /// Without a session or a token.
        case authentication
    }

    /// The names and ports under which the server may be asked, in lower case.
    let hosts: Set<String>
    /// The digests of what gets in: the cookie's value, or the token that programs send.
    let secrets: Set<SHA256Digest>
    /// The cookie's name: cookies are not told apart by port, so the name has it.
    let cookieName: String
    /// The origins of other pages that may use the API.
    let origins: Set<String>

    /// Creates the policy of a server that listens at an address.
    ///
    /// - Parameters:
    ///   - host: the address or name that it listens at.
    ///   - port: its port.
    ///   - names: further names, with or without a port, as a reverse proxy passes on.
    ///   - origins: the origins of other pages that may use the API.
    ///   - secrets: the cookie's value and tokens, each of which grants access.
    init(host: String, port: Int, names: [String], origins: [String] = [], secrets: [String]) {
        var hosts = Set(["127.0.0.1", "localhost", "[::1]"].map { "\($0):\(port)" })
        // Without a port, the default one of HTTP is meant (RFC 9110 §4.2.1).
        if port == 80 { hosts.formUnion(["127.0.0.1", "localhost", "[::1]"]) }
        let isAnyAddress = ["0.0.0.0", "::", "[::]"].contains(host)
        let literal = host.contains(":") && !host.hasPrefix("[") ? "[\(host)]" : host
        if !isAnyAddress { hosts.insert("\(literal.lowercased()):\(port)") }
        for name in names {
            hosts.insert(name.lowercased())
            if !name.contains(":") { hosts.insert("\(name.lowercased()):\(port)") }
        }
        self.hosts = hosts
        self.secrets = Set(secrets.map(Self.digest))
        self.origins = Set(origins.map { $0.lowercased() })
        cookieName = "imgscript-\(port)"
    }

    /// Throws where a request comes under another name, or from the page of another origin.
    func checkOrigin(_ request: HTTPRequest) throws(Refusal) {
        guard let host = request.authority?.lowercased(), hosts.contains(host) else { throw .host }
        guard sharedOrigin(of: request) == nil else { return }
        let fields = request.headerFields
        // Fetch Metadata (W3C): `none` is the address bar, a bookmark, or a program that opened the page.
        if let site = fields[.init("Sec-Fetch-Site")!], site != "same-origin", site != "none" { throw .origin }
        guard let origin = fields[.origin] else { return }
        let parts = origin.lowercased().split(separator: "//", maxSplits: 1)
        guard parts.count == 2, ["http:", "https:"].contains(parts[0]), hosts.contains(String(parts[1])) else {
            throw .origin
        }
    }

    /// The origin of a request, where its page is one of those that may use the API.
    func sharedOrigin(of request: HTTPRequest) -> String? {
        request.headerFields[.origin].flatMap { origins.contains($0.lowercased()) ? $0 : nil }
    }

    /// Throws where a request has neither the session's cookie nor the token.
    func checkAuthentication(_ request: HTTPRequest) throws(Refusal) {
        guard !isAuthenticated(request) else { return }
        throw .authentication
    }

    func isAuthenticated(_ request: HTTPRequest) -> Bool {
        candidates(in: request.headerFields).contains { secrets.contains(Self.digest($0)) }
    }

    private func candidates(in fields: HTTPFields) -> [String] {
        var found: [String] = []
        if let authorization = fields[.authorization] {
            let parts = authorization.split(separator: " ", maxSplits: 1)
            if parts.count == 2, parts[0].lowercased() == "bearer" { found.append(parts[1].trimmingSpaces) }
        }
        for cookies in fields[values: .cookie] {
            for cookie in cookies.split(separator: ";") {
                let parts = cookie.trimmingSpaces.split(separator: "=", maxSplits: 1)
                if parts.count == 2, parts[0] == cookieName { found.append(String(parts[1])) }
            }
        }
        return found
    }

    /// Digests are compared, so that the time says nothing of the secret.
    private static func digest(_ secret: String) -> SHA256Digest { SHA256.hash(data: Array(secret.utf8)) }
}
