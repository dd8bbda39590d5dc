import HTTPTypes
import ProviderModel
import Synchronization
import TestSupport
import Testing

@testable import HTTPTransport

@Suite struct OAuthTokensTests {
    private final class Counter: Sendable {
        private let value = Mutex(0)
        func next() -> Int {
            value.withLock {
                $0 += 1; return $0
            }
        }
    }

    private func credentials(_ server: LoopbackServer, _ more: [String: String] = [:]) -> Credentials {
        let way = AuthenticationMethod(placement: .oauth2(OAuth2Endpoints(token: server.url("/token"), scope: "read")))
        let secrets = ["client_id": "the-id", "client_secret": "the-secret"].merging(more) { $1 }
        return Credentials(provider: ProviderID("tested")!, methods: [way], secrets: secrets)!
    }

    private func transport(now: @escaping @Sendable () -> Int = { 1_000 }) throws -> LoginTransport {
        let base = RedirectingTransport(over: CurlTransport(settings: try .loopback()))
        return LoginTransport(
            over: base, tokens: OAuthTokens(over: base, now: now), jars: CookieJars(), now: now)
    }

    @Test func concurrentCallersShareOneToken() async throws {
        let server = try LoopbackServer { request in
            request.path == "/token"
                ? .answer(text: #"{"access_token":"token-1","expires_in":3600}"#)
                : .answer(text: request.header("authorization") ?? "")
        }
        let transport = try transport()
        var request = server.request("/a")
        request.credentials = credentials(server)
        try await withThrowingTaskGroup(of: Int.self) { [request] group in
            for _ in 0..<10 { group.addTask { try await transport.send(request).status } }
            for try await status in group { #expect(status == 200) }
        }
        let fetches = server.requests.filter { $0.path == "/token" }
        #expect(fetches.count == 1)
        #expect(fetches[0].text == "grant_type=client_credentials&scope=read&client_id=the-id&client_secret=the-secret")
        #expect(
            server.requests.filter { $0.path == "/a" }.allSatisfy { $0.header("authorization") == "Bearer token-1" }
        )
    }

    @Test func refusedTokenIsRenewedOnce() async throws {
        let counter = Counter()
        let server = try LoopbackServer { request in
            guard request.path != "/token" else {
                return .answer(text: #"{"access_token":"token-\#(counter.next())","expires_in":3600}"#)
            }
            return request.header("authorization") == "Bearer token-2" && request.path == "/a"
                ? .answer() : .answer(401)
        }
        let transport = try transport()
        var request = server.request("/a")
        request.credentials = credentials(server)
        #expect(try await transport.send(request).status == 200)
        request.url = server.url("/never")
        #expect(try await transport.send(request).status == 401)
        #expect(server.requests.filter { $0.path == "/never" }.count == 2)
    }

    @Test func expiredTokenIsFetchedAnew() async throws {
        let counter = Counter()
        let server = try LoopbackServer { request in
            request.path == "/token"
                ? .answer(text: #"{"access_token":"t\#(counter.next())","expires_in":100}"#) : .answer()
        }
        let clock = SkippingClock()
        let transport = try transport { Int(clock.now.offset.components.seconds) }
        var request = server.request("/a")
        request.credentials = credentials(server)
        for _ in 0..<2 { _ = try await transport.send(request) }
        clock.advance(by: .seconds(71))
        _ = try await transport.send(request)
        #expect(server.requests.filter { $0.path == "/token" }.count == 2)
    }

    @Test func secretGoesIntoTheHeaderWhereTheBodyIsRefused() async throws {
        let server = try LoopbackServer { request in
            guard request.path == "/token" else { return .answer() }
            guard request.header("authorization") == "Basic dGhlLWlkOnRoZS1zZWNyZXQ=" else {
                return .answer(401, text: #"{"error":"invalid_client"}"#)
            }
            return .answer(text: #"{"access_token":"t"}"#)
        }
        var request = server.request("/a")
        request.credentials = credentials(server)
        #expect(try await transport().send(request).status == 200)
    }

    @Test func refusalNamesTheServersReason() async throws {
        let server = try LoopbackServer { _ in .answer(400, text: #"{"error":"invalid_scope"}"#) }
        var request = server.request("/a")
        request.credentials = credentials(server)
        let error = await TransportError.of { [request] in _ = try await transport().send(request) }
        #expect(error?.code == .authorization)
        #expect(error?.message.contains("invalid_scope") == true)
        #expect(server.requests.allSatisfy { $0.path == "/token" })
    }

    @Test func secretIsNotTakenAlongToAnotherServer() async throws {
        let other = try LoopbackServer { _ in .answer(text: #"{"access_token":"t"}"#) }
        let target = other.origin
        let server = try LoopbackServer { _ in .redirect(307, to: target + "/token") }
        var request = server.request("/a")
        request.credentials = credentials(server)
        let error = await TransportError.of { [request] in _ = try await transport().send(request) }
        #expect(error?.code == .refusedHost)
        #expect(other.requests.isEmpty)
    }
}
