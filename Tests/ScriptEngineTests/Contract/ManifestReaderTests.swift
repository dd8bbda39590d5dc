import ProviderModel
import Testing

@testable import ScriptEngine

@Suite("Manifests are read as the contract says")
struct ManifestReaderTests {
    @Test(arguments: [
        ("contract: 2", "contract: expected 1, the contract this version speaks, found 2"),
        ("contract: '1'", "contract: expected 1, found \"1\""),
        ("id: 'Pixabay'", "id: expected 1 to 64 of a–z, 0–9 and -, found \"Pixabay\""),
        ("id: undefined", "id: expected a provider id, found undefined"),
        ("name: ''", "name: expected a string that is not empty, found \"\""),
        ("version: '1.0'", "version: expected a version such as 1.0.0, found \"1.0\""),
        ("version: 1", "version: expected a version such as 1.0.0, found 1"),
        ("homepage: 'pixabay.com'", "homepage: expected an absolute URL, found \"pixabay.com\""),
        ("hosts: 'pixabay.com'", "hosts: expected an array of hosts, found \"pixabay.com\""),
        (
            "hosts: ['https://pixabay.com/api']",
            "hosts[0]: expected a host such as api.example.com, found \"https://pixabay.com/api\""
        ),
        ("mediaHosts: undefined", "mediaHosts: expected an array of hosts, found undefined"),
        ("paging: 'pages'", "paging: expected one of page, page0, offset, cursor, none, found \"pages\""),
        ("limit: {}", "limit: expected a field of a provider, found \"limit\"; did you mean limits?"),
        ("check: 7", "check: expected a function, found 7"),
        (
            "auth: { type: 'key' }",
            "auth.type: expected one of query, header, cookie, cookies, basic, bearer, oauth1, oauth2, hmac, session, found \"key\""
        ),
        ("auth: { type: 'query' }", "auth.name: expected the name under which the key is sent, found undefined"),
        ("auth: [{ type: 'oauth2' }]", "auth[0].token: expected the URL that gives access tokens, found undefined"),
        (
            "auth: { type: 'bearer', limits: { pageSize: {} } }",
            "auth.limits.pageSize.max: expected a whole number above 0, found undefined"
        ),
        ("auth: { type: 'query', name: 'k', colour: 'x' }", "auth.colour: expected a field of auth, found \"colour\""),
        ("limits: { pageSize: { min: 3 } }", "limits.pageSize.max: expected a whole number above 0, found undefined"),
        ("limits: { pageSize: { min: 30, max: 20 } }", "limits.pageSize: expected min up to 20, found 30"),
        (
            "limits: { pageSize: { max: 20, default: 30 } }",
            "limits.pageSize: expected a default from 1 to 20, found 30"
        ),
        ("limits: { rate: ['fast'] }", "limits.rate[0]: expected a rate such as 100/60s, found \"fast\""),
        ("limits: { rate: '100/60s' }", "limits.rate: expected an array of rates, found \"100/60s\""),
        ("limits: { reset: { unit: 'ms' } }", "limits.reset.unit: expected one of seconds, unix, iso, found \"ms\""),
        ("terms: { cacheAtLeast: 24 }", "terms.cacheAtLeast: expected a duration such as 24h, found 24"),
        (
            "terms: { cacheAtLeast: '2d', cacheAtMost: '24h' }",
            "terms: expected cacheAtMost to be no shorter than cacheAtLeast"
        ),
        ("terms: { notice: '' }", "terms.notice: expected a sentence, found \"\""),
        ("limits: { concurrent: 0 }", "limits.concurrent: expected a number of requests, found 0"),
        ("terms: { hotlink: 'no' }", "terms.hotlink: expected true or false, found \"no\""),
        (
            "terms: { licence: 'x' }",
            "terms.licence: expected url, license, cacheAtLeast, cacheAtMost, hotlink, attribution or notice, found \"licence\"; did you mean license?"
        ),
        ("match: [{ item: { id: '{id}' } }]", "match[0].pattern: expected a pattern, found undefined"),
        ("match: [{ pattern: 'x:{id}' }]", "match[0].item: expected an object with an id, found undefined"),
        (
            "search: { params: { o: { type: 'choice' } } }",
            "search.params.o.values: expected a list of choices, found undefined"
        ),
        (
            "search: { params: { o: {} } }",
            "search.params.o.type: expected one of choice, list, string, integer, number, boolean, found undefined"
        ),
        (
            "search: { params: { n: { type: 'integer', max: 3, default: 7 } } }",
            "search.params.n: default: n: invalid value \"7\" (expected a whole number of at most 3)"
        ),
        (
            "search: { params: { n: { type: 'string', filter: 'sinse' } } }",
            "search.params.n.filter: expected one of tag, exclude-tag, since, until, min-width, min-height, min-pixels, aspect, license, media-format, no-ai, found \"sinse\""
        ),
        (
            "search: { parameters: {} }",
            "search.parameters: expected params, near, media, image, newestFirst, request, parse and run, found \"parameters\""
        ),
        ("search: { near: 'yes' }", "search.near: expected true or false, found \"yes\""),
        ("search: { media: true }", "search.media: expected it in details alone, found it in search"),
        ("instance: { url: 'x' }", "instance.url: expected default or help, found \"url\""),
    ])
    func badFieldIsReportedWithItsPath(_ fields: String, _ message: String) {
        let engine = TestEngine()
        let expression =
            "{ contract: 1, id: 'a', name: 'A', version: '1.0.0', hosts: ['a.example'], mediaHosts: ['*'], \(fields) }"
        #expect(
            violation {
                _ = try engine.read(expression) { reader throws(ContractViolation) in
                    try reader.manifest(operations: [])
                }
            } == message)
    }

    @Test(arguments: [
        ("{}", "contract id name version hosts mediaHosts"),
        // What follows from a fault is not reported beside it: a size without a maximum, a way without a type.
        (
            "{ contract: 2, hosts: ['a b', 'b.example', 'c d'], mediaHosts: [], id: 'a', version: '1.0.0',"
                + " auth: [{ type: 'x', nme: 1 }], limits: { pageSize: { max: 0 }, rate: ['1', '2/1s', 3] } }",
            "contract hosts[0] hosts[2] auth[0].type auth[0].nme limits.pageSize.max limits.rate[0] limits.rate[2] name"
        ),
        // What stands behind a text that cannot be read is found all the same.
        (
            "{ contract: 1, name: 'a\\n\\\\\\ud800\\\"b', terms: ['\\ud800'], id: 'A', version: 1 }",
            "name terms id version hosts mediaHosts"
        ),
    ])
    func allThatIsWrongIsReportedAtOnce(_ expression: String, _ paths: String) throws {
        let found = #expect(throws: ScriptFault.self) {
            let environment = TestEngine().environment
            let value = try environment.runtime.evaluate("(\(expression))", file: "test.js")
            _ = try environment.read(value) { reader throws(ContractViolation) in try reader.manifest(operations: []) }
        }
        guard case .violation(let first) = try #require(found) else { return }
        #expect(([first] + first.others).map(\.path).joined(separator: " ") == paths)
    }

    @Test func missingFieldsAreNamedInTheirOrder() {
        let engine = TestEngine()
        let reading = violation {
            _ = try engine.read("{ contract: 1, id: 'a' }") { reader throws(ContractViolation) in
                try reader.manifest(operations: [])
            }
        }
        #expect(reading == "name: expected a string, found undefined")
    }

    @Test func wholeManifestIsRead() throws {
        let manifest = try TestEngine().read(
            """
            { contract: 1, id: 'a-1', name: 'A', version: '1.0.0-beta+7', homepage: 'https://a.example/', summary: 'S', base: 'https://a.example/v1/',
              instance: { default: 'https://b.example', help: 'any' }, hosts: ['{instance}', '*.a.example'], mediaHosts: ['*'],
              auth: [{ type: 'header', name: 'Authorization', template: 'Client-ID {key}', optional: true }, { type: 'bearer' }],
              limits: { pageSize: { min: 3, max: 200 }, reachable: 500, text: { max: 100 }, rate: ['100/60s', '5000/1d'], concurrent: 2, reset: { header: 'X-Reset', unit: 'unix' } },
              terms: { url: 'https://a.example/terms', cacheAtLeast: '24h', cacheAtMost: '2d', hotlink: false, attribution: 'by {author.name}', license: 'L', notice: 'N' },
              paging: 'cursor', match: [{ pattern: ['a:{id}', 'b:{id}'], item: { id: '{id}', type: 'collection' } }],
              search: { near: true, newestFirst: { color: ['blue'] }, params: { color: { type: 'list', values: ['red', 'blue'], default: ['red'], help: 'H' } }, run() {} } }
            """
        ) { reader throws(ContractViolation) in
            try reader.manifest(operations: [
                OperationDescription(operation: .search, location: SourceLocation(file: "a.js"), isGenerator: true)
            ])
        }
        #expect(manifest.hosts.map(\.description) == ["{instance}", "*.a.example"])
        #expect(manifest.authentication.map(\.isOptional) == [true, false])
        #expect(manifest.limits.pageSize == Limits.PageSize(minimum: 3, maximum: 200, default: 20))
        #expect(manifest.limits.rates.map(\.seconds) == [60, 86_400] && manifest.limits.resetHeader == "x-reset")
        #expect(manifest.limits.concurrent == 2)
        #expect(manifest.matches.map(\.pattern) == ["a:{id}", "b:{id}"])
        #expect(manifest.terms.cacheAtLeast == 86_400 && manifest.terms.allowsHotlinking == false)
        #expect(manifest.terms.cacheAtMost == 172_800 && manifest.terms.notice == "N")
        #expect(manifest.operations[0].takesPoint)
        #expect(manifest.operations[0].newestFirstParameters == [NamedValue("color", "blue")])
        #expect(manifest.operations[0].listsNewestFirst(with: [.init("color", .text("blue"))]))
        #expect(!manifest.operations[0].listsNewestFirst(with: [.init("color", .text("red"))]))
        #expect(!manifest.operations[0].listsNewestFirst(with: []))
        var other = manifest.operations[0]
        other.newestFirstParameters.append(NamedValue("color", ""))
        #expect(other.listsNewestFirst(with: []) && !other.listsNewestFirst(with: [.init("color", .text("red"))]))
        #expect(manifest.operations[0].parameters[0].default == "red" && manifest.paging == .cursor)
    }
}
