import HTTPTypes
import ProviderModel
import Synchronization
import TestSupport
import Testing

@testable import HTTPTransport

/// The tokens of a login, renewed once for all processes.
@Suite struct LoginRenewalTests {
    private let folder = TemporaryFolder()
    private let owner = SecretOwner(ProviderID("tested")!)
    private let login = OAuthLogin(id: "1", token: "old-token", refreshToken: "first", expires: 900)
    private var store: SecretStore { SecretStore(folder: folder.path, environment: [:]) }

    private func server(_ refusing: @escaping @Sendable (LoopbackRequest) -> Bool = { _ in false }) throws
        -> LoopbackServer
    {
        let count = Mutex(0)
        return try LoopbackServer { request in
            guard request.path == "/token" else { return refusing(request) ? .answer(401) : .answer() }
            let number = count.withLock {
                $0 += 1
                return $0
            }
            return .answer(
                text: #"{"access_token":"token-\#(number)","expires_in":3600,"refresh_token":"next-\#(number)"}"#)
        }
    }

    private func request(_ server: LoopbackServer, _ login: OAuthLogin) -> TransportRequest {
        let endpoints = OAuth2Endpoints(token: server.url("/token"), authorize: server.url("/authorize"))
        var request = server.request("/a")
        request.credentials = Credentials(
            provider: owner.provider, methods: [AuthenticationMethod(placement: .oauth2(endpoints))],
            secrets: ["client_id": "public"], login: login)
        return request
    }

    /// One program: its own tokens, over the storage of all.
    private func process() throws -> LoginTransport {
        let base = CurlTransport(settings: try .loopback())
        let storage = LoginStorage(in: store, lockFolder: folder.path)
        return LoginTransport(
            over: base, tokens: OAuthTokens(over: base, logins: storage, now: { 1_000 }), jars: CookieJars(),
            now: { 1_000 })
    }

    @Test func processesRenewAnExpiredTokenOnce() async throws {
        let server = try server()
        try store.set("login", of: owner, to: login.stored)
        let request = request(server, login)
        try await withThrowingTaskGroup(of: Int.self) { group in
            for _ in 0..<6 {
                let process = try process()
                group.addTask { try await process.send(request).status }
            }
            for try await status in group { #expect(status == 200) }
        }
        let renewals = server.requests.filter { $0.path == "/token" }
        #expect(renewals.map(\.text) == ["grant_type=refresh_token&refresh_token=first&client_id=public"])
        #expect(
            server.requests.filter { $0.path == "/a" }.allSatisfy { $0.header("authorization") == "Bearer token-1" })
        let text = try #require(try store.secrets(named: ["login"], of: owner)["login"])
        let stored = try OAuthLogin(stored: text, of: owner)
        #expect(stored.token == "token-1" && stored.refreshToken == "next-1" && stored.id == "1")
        #expect(stored.expires == 4_600)
    }

    @Test func tokenThatIsRefusedIsRenewed() async throws {
        let server = try server { $0.header("authorization") == "Bearer old-token" }
        var login = login
        login.expires = nil
        try store.set("login", of: owner, to: login.stored)
        let process = try process()
        for _ in 0..<2 { #expect(try await process.send(request(server, login)).status == 200) }
        #expect(server.requests.filter { $0.path == "/token" }.count == 1)
    }

    @Test func removedLoginDoesNotComeBack() async throws {
        let server = try server()
        #expect(try await process().send(request(server, login)).status == 200)
        #expect(try store.secrets(named: ["login"], of: owner).isEmpty)
    }

    @Test func loginWithoutARefreshTokenEnds() async throws {
        let server = try server()
        var login = login
        login.refreshToken = nil
        let request = request(server, login)
        let error = await TransportError.of { _ = try await process().send(request) }
        #expect(error?.message == "the login at \"tested\" has ended: its token has expired")
        #expect(error?.hint == .logIn(provider: "tested", server: nil))
        #expect(server.requests.isEmpty)
    }
}
