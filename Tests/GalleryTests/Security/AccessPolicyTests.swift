import HTTPTypes
import Testing

@testable import Gallery

@Suite("Only the page itself and programs with the token get in")
struct AccessPolicyTests {
    private let policy = AccessPolicy(
        host: "127.0.0.1", port: 8_080, names: ["images.example.org"], secrets: ["the secret of the session"])

    private func request(_ host: String?, _ fields: HTTPFields = [:]) -> HTTPRequest {
        HTTPRequest(method: .get, scheme: "http", authority: host, path: "/", headerFields: fields)
    }

    @Test(arguments: ["127.0.0.1:8080", "localhost:8080", "LOCALHOST:8080", "[::1]:8080", "images.example.org"])
    func ownNamesAreTaken(host: String) throws { try policy.checkOrigin(request(host)) }

    @Test(arguments: [
        nil, "", "127.0.0.1", "127.0.0.1:8081", "evil.example:8080", "127.0.0.1:8080.evil.example", "localhost.:8080",
        "images.example.org.evil.example",
    ])
    func otherNamesAreRefused(host: String?) {
        #expect(throws: AccessPolicy.Refusal.host) { try policy.checkOrigin(request(host)) }
    }

    @Test(arguments: [
        "http://evil.example", "null", "http://127.0.0.1:8081", "https://127.0.0.1", "file://", "http://",
        "ftp://127.0.0.1:8080", "127.0.0.1:8080",
    ])
    func otherOriginsAreRefused(origin: String) {
        #expect(throws: AccessPolicy.Refusal.origin) {
            try policy.checkOrigin(request("127.0.0.1:8080", [.origin: origin]))
        }
    }

    @Test(arguments: ["cross-site", "same-site", "nonsense"])
    func otherSitesAreRefused(site: String) {
        #expect(throws: AccessPolicy.Refusal.origin) {
            try policy.checkOrigin(request("127.0.0.1:8080", [.init("Sec-Fetch-Site")!: site]))
        }
    }

    @Test func ownOriginIsTaken() throws {
        let fields: HTTPFields = [.origin: "http://127.0.0.1:8080", .init("Sec-Fetch-Site")!: "same-origin"]
        try policy.checkOrigin(request("127.0.0.1:8080", fields))
        try policy.checkOrigin(request("images.example.org", [.origin: "https://images.example.org"]))
    }

    @Test(arguments: [
        HTTPFields(dictionaryLiteral: (.authorization, "Bearer the secret of the session")),
        [.authorization: "bearer  the secret of the session"],
        [.cookie: "a=b; imgscript-8080=the secret of the session"],
    ])
    func secretGetsIn(fields: HTTPFields) throws { try policy.checkAuthentication(request("localhost:8080", fields)) }

    @Test(arguments: [
        HTTPFields(), [.authorization: "the secret of the session"], [.authorization: "Bearer the secret"],
        [.authorization: "Basic the secret of the session"], [.cookie: "imgscript-8081=the secret of the session"],
        [.cookie: "imgscript-8080="],
    ])
    func nothingElseGetsIn(fields: HTTPFields) {
        #expect(throws: AccessPolicy.Refusal.authentication) {
            try policy.checkAuthentication(request("localhost:8080", fields))
        }
    }

    @Test func linkWorksOnce() {
        let link = LinkToken()
        #expect(!link.use("another"))
        #expect(link.use(link.token))
        #expect(!link.use(link.token))
        #expect(link.token.utf8.count == 64 && link.session != link.token)
    }
}
