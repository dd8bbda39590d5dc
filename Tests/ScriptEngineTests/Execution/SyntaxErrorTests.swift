import ProviderModel
import Testing
import WorkerProtocol

@testable import ScriptEngine

@Suite("A syntax error has its line and column")
struct SyntaxErrorTests {
    @Test(arguments: [
        ("const = 1;", 1, 7),
        ("\nmodule.exports = {\n  a: 1\n  b: 2,\n};", 4, 3),
        ("const s = 'äöü'; let = = 3;", 1, 24),
        ("const a = '𝒳' 2;", 1, 16),
        ("const a = { b: 1, c: [2, 3], ; };", 1, 30),
        ("foo(1, 2;", 1, 9),
        ("let a; let a;", 1, 12),
        ("const a = 1;\nconst b = 'abc\nconst c = 2;", 2, 11),
        ("const a = 'x', b = /abc\n;", 1, 20),
        ("const a = 1; /* a */\nconst b = 2; /* b\n\n", 2, 14),
        ("module.exports = {\n  a: 1,\n\n", 2, 7),
        ("const a = (b, c) =", 1, 18),
        ("const f = (a) => a ==> 2;", 1, 20),
        ("});", 1, 1),
        ("\nwith ({}) {}", 2, 1),
        ("const a = 1;\nexport default a;", 2, 1),
    ])
    func placeIsThatOfTheTokenAtFault(_ source: String, _ line: Int, _ column: Int) {
        let error = #expect(throws: ProviderError.self) {
            _ = try ProviderScript(file: "a.js", source: source, in: ScriptEnvironment(memory: 256 << 20))
        }
        #expect(error?.location == SourceLocation(file: "a.js", line: line, column: column), "\(error?.message ?? "")")
    }

    @Test func longLineIsSearchedForSomeTimeOnly() {
        let source = "const a = [;" + String(repeating: "1, ", count: 100_000)
        let error = #expect(throws: ProviderError.self) {
            _ = try ProviderScript(file: "a.js", source: source, in: ScriptEnvironment(memory: 256 << 20))
        }
        #expect(error?.location == SourceLocation(file: "a.js", line: 1))
    }
}

@Suite("A status that is the server's fault has no place in the script")
struct StatusErrorTests {
    @Test(arguments: [
        (500, "https://a.example answered with status 500 (server error): \"{}\"", false),
        (429, "https://a.example answered with status 429 (too many requests): \"{}\"", false),
        (400, "https://a.example answered with status 400 (request refused): \"{}\"", true),
    ])
    func placeOfAStatus(_ status: Int, _ message: String, _ isPlaced: Bool) throws {
        let script = try ProviderScript(
            file: "loop.js",
            source: """
                module.exports = { contract: 1, id: 'loop', name: 'A', version: '1.0.0', hosts: ['a.example'],
                  mediaHosts: [],
                  *search() { yield { url: 'https://a.example/' }; return { items: [] }; } };
                """, in: ScriptEnvironment(memory: 256 << 20))
        let run = OperationRun(.search(ProviderQuery(text: "x")), of: script, limits: WorkerLimits())
        _ = try run.start()
        let response = ProviderResponse(
            status: status, url: try WebURL("https://a.example/"), body: Array("{}".utf8))
        let error = #expect(throws: ProviderError.self) { _ = try run.resume(with: [response]) }
        #expect(error?.message == message)
        #expect((error?.location != nil) == isPlaced)
    }

    @Test(
        arguments: [
            (401, [], "", .blocked), (403, [], "", .blocked), (401, [], "auth: { type: 'bearer' },", .auth),
            (403, [NamedValue("CF-Mitigated", "challenge")], "auth: { type: 'bearer' },", .blocked),
            (503, [NamedValue("cf-mitigated", "challenge")], "", .blocked),
            (403, [NamedValue("Server", "ddos-guard")], "auth: { type: 'bearer' },", .blocked),
            (421, [], "", .rate), (429, [], "", .rate), (451, [], "", .blocked), (503, [], "", .transport),
            (410, [], "check: (res) => require('imgscript').fail(403, 'no'),", .blocked),
            (410, [], "auth: { type: 'bearer' }, check: (res) => require('imgscript').fail(403, 'no'),", .auth),
            (400, [], "check: (res) => require('imgscript').fail(421, 'slower'),", .rate),
        ] as [(Int, [NamedValue], String, ProviderError.Code)])
    func kindOfAStatus(
        _ status: Int, _ headers: [NamedValue], _ members: String, _ kind: ProviderError.Code
    ) throws {
        let script = try ProviderScript(
            file: "loop.js",
            source: """
                module.exports = { contract: 1, id: 'loop', name: 'A', version: '1.0.0', hosts: ['a.example'],
                  mediaHosts: [], \(members)
                  *search() { yield { url: 'https://a.example/' }; return { items: [] }; } };
                """, in: ScriptEnvironment(memory: 256 << 20))
        let run = OperationRun(.search(ProviderQuery(text: "x")), of: script, limits: WorkerLimits())
        _ = try run.start()
        let response = ProviderResponse(
            status: status, url: try WebURL("https://a.example/"), headers: headers, body: Array("{}".utf8))
        let error = #expect(throws: ProviderError.self) { _ = try run.resume(with: [response]) }
        #expect(error?.code == kind)
    }

    private static let challenge = "<!DOCTYPE html><html><head><title>Just a moment...</title></head></html>"
    private static let refusal = "<html><head><title>403 Forbidden</title></head></html>"

    @Test(
        arguments: [
            (403, challenge, "json", .blocked), (429, challenge, "json", .blocked), (503, challenge, "html", .blocked),
            (404, challenge, "json", .blocked), (404, refusal, "json", .notFound),
            (403, refusal, "json", .blocked), (403, refusal, "html", .auth), (401, refusal, "json", .auth),
            (429, refusal, "json", .rate), (403, "{}", "json", .auth),
        ] as [(Int, String, String, ProviderError.Code)])
    func pageInPlaceOfAnAnswer(_ status: Int, _ page: String, _ format: String, _ kind: ProviderError.Code) throws {
        let script = try ProviderScript(
            file: "loop.js",
            source: """
                module.exports = { contract: 1, id: 'loop', name: 'A', version: '1.0.0', hosts: ['a.example'],
                  mediaHosts: [], auth: { type: 'bearer' },
                  *search() { yield { url: 'https://a.example/', accept: '\(format)' }; return { items: [] }; } };
                """, in: ScriptEnvironment(memory: 256 << 20))
        let run = OperationRun(.search(ProviderQuery(text: "x")), of: script, limits: WorkerLimits())
        _ = try run.start()
        let response = ProviderResponse(
            status: status, url: try WebURL("https://a.example/"),
            headers: [NamedValue("Content-Type", "text/html; charset=utf-8")], body: Array(page.utf8))
        let error = #expect(throws: ProviderError.self) { _ = try run.resume(with: [response]) }
        #expect(error?.code == kind)
    }
}
