import HTTPTypes
import ProviderModel
import Testing

@testable import HTTPTransport

/// Signatures, by published examples.
@Suite struct RequestSignerTests {
    private func request(
        _ method: HTTPRequest.Method, _ url: String, form: String? = nil, at seconds: Int64, nonce: String
    ) throws -> WireRequest {
        var wire = WireRequest(url: try WebURL(url), headers: [:])
        wire.method = method
        wire.moment = SigningMoment(milliseconds: seconds * 1_000, nonce: nonce)
        if let form {
            wire.headers[.contentType] = "application/x-www-form-urlencoded"
            wire.body = Array(form.utf8)
        }
        return wire
    }

    /// RFC 5849 §3.4.1.1, with the pairs of §3.4.1.3.
    @Test func baseStringIsThatOfTheStandard() throws {
        let request = try request(
            .post, "http://EXAMPLE.COM:80/request?b5=%3D%253D&a3=a&c%40=&a2=r%20b", form: "c2&a3=2+q", at: 137_131_201,
            nonce: "7d8f3e4a")
        let parameters = [
            ("oauth_consumer_key", "9djdj82h48djs9d2"), ("oauth_token", "kkk9d7dh3k39sjv7"),
            ("oauth_signature_method", "HMAC-SHA1"), ("oauth_timestamp", "137131201"), ("oauth_nonce", "7d8f3e4a"),
        ]
        #expect(
            OAuth1Signer.baseString(of: request, parameters)
                == "POST&http%3A%2F%2Fexample.com%2Frequest&a2%3Dr%2520b%26a3%3D2%2520q%26a3%3Da%26b5%3D%253D%25253D%26"
                + "c%2540%3D%26c2%3D%26oauth_consumer_key%3D9djdj82h48djs9d2%26oauth_nonce%3D7d8f3e4a%26"
                + "oauth_signature_method%3DHMAC-SHA1%26oauth_timestamp%3D137131201%26oauth_token%3Dkkk9d7dh3k39sjv7")
    }

    /// OAuth Core 1.0a, appendix A.5.
    @Test func photosOfTheStandardsExampleAreSigned() throws {
        let request = try request(
            .get, "http://photos.example.net/photos?file=vacation.jpg&size=original", at: 1_191_242_096,
            nonce: "kllo9940pd9333jh")
        let signer = OAuth1Signer(
            client: ("dpf43f3p2l4k3l03", "kd94hf93k423kf44"), token: ("nnch734d00sl2jdk", "pfkkdhi9sl3r4s00"))
        let line = signer.authorization(for: request)
        #expect(line.contains(#"oauth_signature="tR3%2BTy81lMeYAr%2FFid0kMTYa%2FWM%3D""#), "\(line)")
        #expect(line.hasPrefix("OAuth ") && line.contains(#"oauth_token="nnch734d00sl2jdk""#))
        #expect(!line.contains("kd94hf93k423kf44") && !line.contains("pfkkdhi9sl3r4s00"))
    }

    /// The example in Twitter's “Creating a signature”.
    @Test func aFormIsPartOfTheSignature() throws {
        let request = try request(
            .post, "https://api.twitter.com/1/statuses/update.json?include_entities=true",
            form: "status=Hello%20Ladies%20%2b%20Gentlemen%2c%20a%20signed%20OAuth%20request%21", at: 1_318_622_958,
            nonce: "kYjzVBB8Y0ZFabxSWbWovY3uYSQ2pTgmZeNu2VS4cg")
        let signer = OAuth1Signer(
            client: ("xvz1evFS4wEEPTGEFPHBog", "kAcSOqF21Fu85e7zjz7ZN2U4ZRhfV3WpwPAoE3Z7kBw"),
            token: (
                "370773112-GmHxMAgYyLbNEtIKZeRNFsMKPR9EyMZeS9weJAEb", "LswwdoUaIvS8ltyTt5jkRh4J50vUPVVHtR2YPi5kE"
            ))
        #expect(signer.authorization(for: request).contains("tnnArxj06cWHq44gCs1OSKk%2FjLY%3D"))
    }

    /// RFC 7636, appendix B.
    @Test func challengeBelongsToTheVerifier() {
        #expect(
            BrowserLogin.challenge(of: "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk")
                == "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM")
    }

    /// RFC 2202 §2 and §3 and RFC 4231 §4.3, test case 2.
    @Test(arguments: [
        (RequestSignature.Hash.md5, "750c783e6ab0b503eaa86e310a5db738"),
        (.sha1, "effcdf6ae5eb2fa2d27416d5f184df9c259a7c79"),
        (.sha256, "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843"),
        (
            .sha512,
            "164b7a7bfcf819e2e395fbe73b56e0a387bd64222e831fd610270cd7ea250554"
                + "9758bf75c05a994a6d034f65f8f0e6fdcaeab1a34d4a6b4b636e070a38bce737"
        ),
    ])
    func codesAreThoseOfTheStandards(_ hash: RequestSignature.Hash, _ expected: String) {
        #expect(hash.code(of: "what do ya want for nothing?", key: "Jefe").hexadecimal == expected)
    }

    // MARK: Descriptions of a signature

    private func signed(_ signature: RequestSignature, headers: [NamedValue] = [], _ request: WireRequest) throws
        -> WireRequest
    {
        let method = AuthenticationMethod(placement: .hmac(signature), headers: headers)
        let credentials = try #require(
            Credentials(provider: ProviderID("tested")!, methods: [method], secrets: ["key": "id", "secret": "Jefe"]))
        var request = request
        try credentials.apply(to: &request)
        return request
    }

    @Test func whatIsSignedIsSentAndTheSignatureAfterIt() throws {
        let signature = RequestSignature(
            key: "{secret}", text: "{request.method}\n{request.sortedTarget}",
            query: [
                NamedValue("key", "{key}"), NamedValue("time", "{request.timestamp}"), NamedValue("sig", "{signature}"),
            ])
        let plain = try request(.get, "https://a.example/v1?q=b%20c&page=2", at: 1_700_000_000, nonce: "n")
        let sent = try signed(signature, plain)
        let expected = RequestSignature.Hash.sha256.code(
            of: "GET\n/v1?key=id&page=2&q=b%20c&time=1700000000", key: "Jefe")
        #expect(
            sent.url.description
                == "https://a.example/v1?q=b%20c&page=2&key=id&time=1700000000&sig=\(expected.hexadecimal)")
    }

    /// The examples in the tests of Openverse's own client for Rawpixel.
    @Test(arguments: [
        ("foo=bar", "ZenXVF0pAhfm9EzlAsvw-REsQ27nQQ5mtxmSu4upmHo"),
        ("foo=bar&crimothy=roberts", "rSz4Ou1ZZFY57z5Ff7AHxZqwZW_PsgOsN9ksTmpbWIM"),
    ])
    func rawpixelsSignatureIsOfTheSortedTarget(_ query: String, _ expected: String) throws {
        let signature = RequestSignature(
            key: "PREDICTABLE-{secret}", text: "{request.sortedTarget}", encoding: .base64url,
            query: [NamedValue("s", "{signature}")])
        let method = AuthenticationMethod(placement: .hmac(signature))
        let credentials = try #require(
            Credentials(provider: ProviderID("rawpixel")!, methods: [method], secrets: ["secret": "KEY"]))
        var sent = try request(.get, "https://www.rawpixel.com/api/v1/search?\(query)", at: 0, nonce: "")
        try credentials.apply(to: &sent)
        #expect(sent.url.queryItems.last?.value == expected)
    }

    @Test func headersHoldThePartsOfTheRequest() throws {
        let signature = RequestSignature(
            hash: .sha1, key: "x{secret}", text: "{request.date}{request.nonce}{request.bodyDigest}",
            encoding: .base64url)
        let headers = [
            NamedValue("X-Date", "{request.date}"), NamedValue("X-Nonce", "{request.nonce}"),
            NamedValue("Authorization", "HMAC {key}:{signature}"),
        ]
        let plain = try request(.post, "https://a.example/v1", form: "a=1", at: 1_700_000_000, nonce: "once")
        let sent = try signed(signature, headers: headers, plain)
        let digest = RequestSignature.Hash.sha1.digest(of: Array("a=1".utf8)).hexadecimal
        let code = RequestSignature.Hash.sha1.code(of: "2023-11-14T22:13:20Zonce\(digest)", key: "xJefe")
        #expect(sent.headers[.authorization] == "HMAC id:\(RequestSignature.Encoding.base64url.text(of: code))")
        #expect(sent.headers[HTTPField.Name("X-Nonce")!] == "once")
    }

    @Test func secretsOfALoginAreMasked() throws {
        let endpoints = OAuth1Endpoints(authorize: try WebURL("https://a.example/authorize"))
        let login = OAuthLogin(id: "1", token: "token-of-anna", tokenSecret: "secret-of-anna")
        let credentials = try #require(
            Credentials(
                provider: ProviderID("tested")!, methods: [AuthenticationMethod(placement: .oauth1(endpoints))],
                secrets: ["client_id": "client-id", "client_secret": "client-secret"], login: login))
        let text = "client-id client-secret token-of-anna secret-of-anna"
        #expect(credentials.redaction.redact(text) == "*** *** *** ***")
        #expect(try OAuthLogin(stored: login.stored, of: credentials.owner) == login)
    }

    // MARK: Logins of a provider's own

    @Test(
        arguments: [
            ("application/x-www-form-urlencoded", "csrf=1", "csrf=1&name=anna&password=p%26w"),
            ("application/json", #"{"csrf":1,"name":"x"}"#, #"{"csrf":1,"name":"anna","password":"p&w"}"#),
            (nil, "", "name=anna&password=p%26w"),
        ] as [(String?, String, String)])
    func loginsHaveTheSecretsInTheirBody(_ type: String?, _ body: String, _ expected: String) throws {
        let method = AuthenticationMethod(
            placement: .session, body: [NamedValue("name", "{user}"), NamedValue("password", "{password}")])
        #expect(method.secretNames == ["user", "password"] && method.needsSession)
        var credentials = try #require(
            Credentials(
                provider: ProviderID("tested")!, methods: [method], secrets: ["user": "anna", "password": "p&w"]))
        var request = WireRequest(url: try WebURL("https://a.example/login"), headers: [:])
        request.method = .post
        request.headers[.contentType] = type
        request.body = Array(body.utf8)
        let plain = request
        // Only the login has them.
        try credentials.apply(to: &request)
        #expect(request.body == plain.body)
        credentials.isForSession = true
        try credentials.apply(to: &request)
        #expect(String(decoding: request.body, as: UTF8.self) == expected)
        var reading = plain
        reading.method = .get
        try credentials.apply(to: &reading)
        #expect(reading.body == plain.body)
    }
}
