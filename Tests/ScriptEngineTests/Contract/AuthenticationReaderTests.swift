import ProviderModel
import Testing

@testable import ScriptEngine

/// Methods of authentication that the host carries out, as files declare them.
@Suite struct AuthenticationReaderTests {
    private func manifest(_ members: String) throws -> ProviderManifest {
        try ProviderScript(
            file: "a.js",
            source: """
                module.exports = { contract: 1, id: 'a', name: 'A', version: '1.0.0', hosts: ['a.example'], mediaHosts: ['*'],
                  \(members)
                  search: { request: () => ({ url: 'https://a.example/' }), parse: () => ({ items: [] }) } };
                """, in: ScriptEnvironment(memory: 256 << 20)
        ).manifest
    }

    private func method(_ auth: String) throws -> AuthenticationMethod {
        try #require(try manifest("auth: \(auth),").authentication.first)
    }

    @Test func loginsNeedWhatTheSourceIssues() throws {
        let url = "'https://a.example/x'"
        let code = try method("{ type: 'oauth2', token: \(url), authorize: \(url), scope: 's' }")
        #expect(code.hasLogin && code.secretNames == ["client_id", "login"])
        #expect(code.optionalSecretNames == ["client_secret"] && code.typedSecretNames == ["client_id"])
        #expect(try method("{ type: 'oauth2', token: \(url), device: \(url) }").hasLogin)
        let client = try method("{ type: 'oauth2', token: \(url) }")
        #expect(!client.hasLogin && client.secretNames == ["client_id", "client_secret"])
        let first = try method("{ type: 'oauth1', request: \(url), authorize: \(url), token: \(url) }")
        #expect(first.hasLogin && first.secretNames == ["client_id", "client_secret", "login"])
        #expect(try method("{ type: 'oauth1' }").secretNames == ["client_id", "client_secret"])
    }

    @Test func signaturesNeedTheirSecretsAlone() throws {
        let method = try method(
            """
            { type: 'hmac', hash: 'sha1', sign: '{request.method}{request.path}', encoding: 'base64',
              query: { key: '{key}', sig: '{signature}' }, headers: { 'X-Time': '{request.timestamp}' } }
            """)
        #expect(method.secretNames == ["secret", "key"])
        guard case .hmac(let signature) = method.placement else { return #expect(Bool(false)) }
        #expect(signature.hash == .sha1 && signature.encoding == .base64 && signature.key == "{secret}")
    }

    @Test func loginsOfAProvidersOwnNeedItsSession() throws {
        let method = try method("{ type: 'session', body: { name: '{user}', word: '{password}' } }")
        #expect(method.needsSession && method.keepsCookies && method.secretNames == ["user", "password"])
        #expect(
            try self.method("{ type: 'bearer', template: '{session.t}', body: { n: '{user}' } }").secretNames == [
                "user"
            ])
    }

    @Test(arguments: [
        ("{ type: 'hmac', query: { a: '{signature}' } }", "sign"),
        ("{ type: 'hmac', sign: 'x' }", "{signature} in query or headers"),
        ("{ type: 'hmac', sign: '{request.pth}', query: { a: '{signature}' } }", "found {request.pth}"),
        ("{ type: 'hmac', sign: 'x', hash: 'sha3', query: { a: '{signature}' } }", "sha512"),
        ("{ type: 'oauth1', authorize: 'https://a.example/' }", "request, authorize and token"),
        ("{ type: 'oauth2', authorize: 'https://a.example/' }", "the URL that gives access tokens"),
    ])
    func whatIsMissingIsNamed(_ auth: String, _ words: String) {
        let error = #expect(throws: ProviderError.self) { try manifest("auth: \(auth),") }
        #expect(error?.message.contains(words) == true, "\(error?.message ?? "")")
    }

    @Test func deprecationHasADayAndAReason() throws {
        let note = try manifest("deprecated: { date: '2026-05-01', note: 'Use b.' },").deprecated
        #expect(note?.description == "deprecated since 2026-05-01: Use b.")
        for (members, words) in [
            ("{ note: 'N' }", "a day such as 2026-05-01"), ("{ date: '2026-05-01' }", "a sentence"),
            ("{ date: 'May', note: 'N' }", "found \"May\""),
        ] {
            let error = #expect(throws: ProviderError.self) { try manifest("deprecated: \(members),") }
            #expect(error?.message.contains(words) == true, "\(error?.message ?? "")")
        }
    }

    @Test func deprecationMayNameTheLastDay() throws {
        let note = try manifest("deprecated: { date: '2026-05-01', ends: '2027-01-01', note: 'Use b.' },").deprecated
        #expect(note?.description == "deprecated since 2026-05-01, ends on 2027-01-01: Use b.")
        let error = #expect(throws: ProviderError.self) {
            try manifest("deprecated: { date: '2026-05-01', ends: 'soon', note: 'N' },")
        }
        #expect(error?.message.contains("found \"soon\"") == true)
    }

    @Test func pageForFaultsIsAnAddress() throws {
        #expect(try manifest("bugs: 'https://a.example/issues',").bugs?.description == "https://a.example/issues")
        #expect(throws: ProviderError.self) { try manifest("bugs: 'here',") }
    }

    @Test func conditionHasTheSourcesWords() throws {
        func parameter(_ members: String) throws -> ParameterDescription? {
            try manifest(
                "feed: { params: { p: { \(members) } }, request: () => ({ url: '/' }), parse: () => ({ items: [] }) },"
            )
            .description(of: .feed)?.parameters.first
        }
        let shape = try parameter(
            "type: 'choice', values: ['wide', 'tall'], filter: 'aspect', filterValues: { landscape: 'wide' }")
        #expect(shape?.condition == .aspect)
        #expect(shape?.conditionValues == [NamedValue("landscape", "wide")])
        for (members, words) in [
            ("type: 'string', filterValues: { cc0: 'x' }", "with filter only"),
            ("type: 'choice', values: ['a'], filter: 'license', filterValues: { cc0: 'b' }", "filterValues.cc0"),
            ("type: 'string', filter: 'colour'", "min-pixels"),
        ] {
            let error = #expect(throws: ProviderError.self) { try parameter(members) }
            #expect(error?.message.contains(words) == true, "\(error?.message ?? "")")
        }
    }

    @Test func similarTakesFilesUnlessItSaysMore() throws {
        let functions = "request: () => ({ url: 'https://a.example/' }), parse: () => ({ items: [] })"
        let usual = try manifest("similar: { \(functions) },").description(of: .similar)
        #expect(usual?.imageKinds == [.file])
        let both = try manifest("similar: { image: ['url', 'file'], \(functions) },").description(of: .similar)
        #expect(both?.imageKinds == [.url, .file])
        let error = #expect(throws: ProviderError.self) { try manifest("feed: { image: ['url'], \(functions) },") }
        #expect(error?.message.contains("in similar alone") == true)
    }
}
