import Glibc
import HTTPTypes
import ProviderModel
import Synchronization
import TestSupport
import Testing

@testable import HTTPTransport

/// Logins at a server on this machine; the browser is a transport.
@Suite struct BrowserLoginTests {
    private let client = ["client_id": "the-id", "client_secret": "the-secret"]
    private let owner = SecretOwner(ProviderID("tested")!)

    private func login(
        by placement: AuthenticationMethod.Placement, secrets: [String: String]? = nil,
        sleep: @escaping @Sendable (Duration) async throws -> Void = { _ in }
    ) throws -> BrowserLogin {
        BrowserLogin(
            by: AuthenticationMethod(placement: placement), of: owner, secrets: secrets ?? client,
            in: RequestScope(provider: owner.provider, hosts: [HostPattern("http://127.0.0.1")!]),
            over: CurlTransport(settings: try .loopback()), now: { 1_000 }, sleep: sleep)
    }

    /// Opens an address as a browser does, and returns the status.
    @discardableResult
    private func open(_ url: String) async throws -> Int {
        let transport = RedirectingTransport(over: CurlTransport(settings: try .loopback()))
        return try await transport.send(TransportRequest(url: try WebURL(url))).status
    }

    private func query(_ url: WebURL) -> [String: String] {
        Dictionary(url.queryItems.map { ($0.name, $0.value) }) { $1 }
    }

    // MARK: OAuth 2

    private func tokenServer(_ answer: String = #"{"access_token":"t","refresh_token":"r","expires_in":3600}"#) throws
        -> LoopbackServer
    {
        try LoopbackServer { request in
            request.path == "/token" ? .answer(text: answer) : .answer(404)
        }
    }

    private func endpoints(_ server: LoopbackServer) -> AuthenticationMethod.Placement {
        .oauth2(
            OAuth2Endpoints(
                token: server.url("/token"), scope: "read", authorize: server.url("/authorize?duration=permanent"),
                device: server.url("/device")))
    }

    @Test func codeIsExchangedWithTheVerifierOfTheChallenge() async throws {
        let server = try tokenServer()
        let callback = try LoginCallback(port: 0)
        let asked = Mutex<[String: String]>([:])
        let login = try await login(by: endpoints(server))(returningTo: callback, until: .now + .seconds(20)) { step in
            guard case .open(let page) = step else { return }
            let query = self.query(page)
            asked.withLock { $0 = query }
            #expect(page.description.hasPrefix("\(server.origin)/authorize?duration=permanent&response_type=code&"))
            let state = query["state"] ?? ""
            Task {
                // Another page's request, one with a wrong state, and then that of the login.
                let stolen = try await self.open("\(callback.address)?code=stolen&state=0000")
                let icon = try await self.open("http://127.0.0.1:\(callback.address.port)/favicon.ico")
                #expect(stolen == 404 && icon == 404)
                let status = try await self.open("\(callback.address)?code=abc&state=\(state)")
                #expect(status == 200)
            }
        }
        #expect(login.token == "t" && login.refreshToken == "r" && login.expires == 4_600)
        let form = FormEncoding.decode(try #require(server.requests.first).text)
        let pairs = Dictionary(form.map { ($0.name, $0.value) }) { $1 }
        let query = asked.withLock { $0 }
        #expect(pairs["code"] == "abc" && pairs["client_secret"] == "the-secret")
        #expect(pairs["redirect_uri"] == callback.address.description && query["redirect_uri"] == pairs["redirect_uri"])
        #expect(query["code_challenge"] == BrowserLogin.challenge(of: pairs["code_verifier"] ?? ""))
        #expect(query["code_challenge_method"] == "S256" && query["scope"] == "read")
        #expect(server.requests.count == 1)
    }

    @Test func refusalIsToldInTheSourcesWords() async throws {
        let server = try tokenServer()
        let callback = try LoginCallback(port: 0)
        let error = await TransportError.of {
            _ = try await login(by: endpoints(server))(returningTo: callback, until: .now + .seconds(20)) { step in
                guard case .open(let page) = step else { return }
                let state = self.query(page)["state"] ?? ""
                Task {
                    try await self.open(
                        "\(callback.address)?error=access_denied&error_description=No+way&state=\(state)")
                }
            }
        }
        #expect(error?.code == .authorization && error?.message.contains("No way") == true)
        #expect(server.requests.isEmpty)
    }

    @Test func addressMayBePasted() async throws {
        let server = try tokenServer()
        var ends: [Int32] = [0, 0]
        #expect(pipe(&ends) == 0)
        defer { for end in ends { close(end) } }
        let (input, output) = (ends[0], ends[1])
        let callback = try LoginCallback(port: 0, input: input)
        let login = try await login(by: endpoints(server))(returningTo: callback, until: .now + .seconds(20)) { step in
            guard case .open(let page) = step else { return }
            let state = self.query(page)["state"] ?? ""
            let lines = "hello\n\(callback.address)?code=x&state=other\n\(callback.address)?code=x&state=\(state)\n"
            #expect(output.writeAll(Array(lines.utf8)))
        }
        #expect(login.token == "t")
    }

    @Test func nobodyWhoComesBackEndsTheWait() async throws {
        let server = try tokenServer()
        let callback = try LoginCallback(port: 0)
        let error = await TransportError.of {
            _ = try await login(by: endpoints(server))(returningTo: callback, until: .now) { _ in }
        }
        #expect(error?.code == .timeout)
    }

    @Test func portInUseIsToldWithWhatHelps() throws {
        let callback = try LoginCallback(port: 0)
        let error = #expect(throws: TransportError.self) { try LoginCallback(port: callback.address.port) }
        #expect(error?.message.contains("port \(callback.address.port)") == true && error?.hint == .choosePort)
    }

    // MARK: Device codes

    @Test func deviceIsAskedForUntilTheUserAgrees() async throws {
        let answers = Mutex([
            #"{"error":"authorization_pending"}"#, #"{"error":"slow_down"}"#,
            #"{"access_token":"t","refresh_token":"r"}"#,
        ])
        let server = try LoopbackServer { request in
            if request.path == "/device" {
                return .answer(
                    text: """
                        {"device_code": "dev", "user_code": "WDJB-MJHT", "verification_uri": "https://a.example/device",
                        "expires_in": 1800, "interval": 2}
                        """)
            }
            let answer = answers.withLock { $0.removeFirst() }
            return .answer(answer.contains("error") ? 400 : 200, text: answer)
        }
        let waits = Mutex<[Duration]>([])
        let shown = Mutex<[String]>([])
        let login = try await login(
            by: endpoints(server), secrets: ["client_id": "public"],
            sleep: { wait in waits.withLock { $0.append(wait) } }
        ).onDevice { step in
            if case .enter(let code, let page, let seconds) = step {
                shown.withLock { $0 = [code, "\(page)", "\(seconds)"] }
            }
        }
        #expect(login.token == "t" && login.expires == nil)
        #expect(shown.withLock { $0 } == ["WDJB-MJHT", "https://a.example/device", "1800"])
        #expect(waits.withLock { $0 } == [.seconds(2), .seconds(2), .seconds(7)])
        #expect(server.requests[0].text == "scope=read&client_id=public")
        #expect(server.requests[1].text.hasPrefix("grant_type=urn%3Aietf%3Aparams%3Aoauth%3Agrant-type%3Adevice_code&"))
        #expect(server.requests.count == 4)
    }

    @Test(arguments: [
        (#"{"error":"access_denied"}"#, "you did not agree"), (#"{"error":"expired_token"}"#, "the code has expired"),
    ])
    func refusedDeviceEnds(_ answer: String, _ reason: String) async throws {
        let server = try LoopbackServer { request in
            request.path == "/device"
                ? .answer(
                    text: #"{"device_code":"d","user_code":"u","verification_uri":"https://a.example/"}"#)
                : .answer(400, text: answer)
        }
        let error = await TransportError.of { _ = try await login(by: endpoints(server)).onDevice { _ in } }
        #expect(error?.message.contains(reason) == true)
    }

    // MARK: OAuth 1.0a

    @Test func threeStepsOfOAuth1LeadToAToken() async throws {
        let server = try LoopbackServer { request in
            let line = request.header("authorization") ?? ""
            switch request.path {
            case "/request" where line.contains("oauth_callback=\"http%3A%2F%2F127.0.0.1"):
                return .answer(text: "oauth_token=temporary&oauth_token_secret=ts&oauth_callback_confirmed=true")
            case "/access" where line.contains("oauth_token=\"temporary\"") && line.contains("oauth_verifier=\"v\""):
                return .answer(text: "oauth_token=lasting&oauth_token_secret=ls&username=anna")
            default: return .answer(401, text: "oauth_problem=signature_invalid")
            }
        }
        let placement = AuthenticationMethod.Placement.oauth1(
            OAuth1Endpoints(
                request: server.url("/request"), authorize: server.url("/authorize?perms=read"),
                token: server.url("/access")))
        let callback = try LoginCallback(port: 0)
        let login = try await login(by: placement)(returningTo: callback, until: .now + .seconds(20)) { step in
            guard case .open(let page) = step else { return }
            #expect(page.description == "\(server.origin)/authorize?perms=read&oauth_token=temporary")
            Task { try await self.open("\(callback.address)?oauth_token=temporary&oauth_verifier=v") }
        }
        #expect(login.token == "lasting" && login.tokenSecret == "ls" && login.end == .revocation)
    }

    @Test func refusedClientIsToldWithTheReason() async throws {
        let server = try LoopbackServer { _ in .answer(401, text: "oauth_problem=consumer_key_unknown") }
        let placement = AuthenticationMethod.Placement.oauth1(
            OAuth1Endpoints(request: server.url("/r"), authorize: server.url("/a"), token: server.url("/t")))
        let callback = try LoginCallback(port: 0)
        let error = await TransportError.of {
            _ = try await login(by: placement)(returningTo: callback, until: .now + .seconds(20)) { _ in }
        }
        #expect(
            error?.message.contains("status 401") == true && error?.message.contains("consumer_key_unknown") == true)
    }
}
