import ProviderModel
import Testing
import WorkerProtocol

@testable import ScriptEngine

@Suite("Test files declare tests and run them one by one")
struct TestFilesTests {
    @Test func namesGroupsAndMarksAreFound() throws {
        let file = try TestedFile(
            """
            test('a', () => {});
            describe('g', () => {
              test.skip('b', () => {});
              describe.only('h', () => test('c', () => {}));
              test.todo('d');
            });
            describe.skip('s', () => test.only('e', () => {}));
            describe.each([1, 2])('n%d', (n) => test.each([['x', n], ['y', n]])('%s of %d, row %#, 100%%', () => {}));
            test.each([{ a: { b: 'deep' }, c: 3 }])('$a.b and $c, $none', () => {});
            test.each`
              from | to
              ${1} | ${2}
            `('$from to $to', () => {});
            """)
        #expect(
            file.tests.map { ($0.groups + [$0.name]).joined(separator: "/") + ":\($0.mark)" } == [
                "a:none", "g/b:skip", "g/h/c:only", "g/d:todo", "s/e:skip",
                "n1/x of 1, row 0, 100%:none", "n1/y of 1, row 1, 100%:none", "n2/x of 2, row 0, 100%:none",
                "n2/y of 2, row 1, 100%:none", "deep and 3, $none:none", "1 to 2:none",
            ])
        #expect(file.tests[0].location == SourceLocation(file: "made.test.js", line: 1, column: 5))
        #expect(file.tests[1].location?.line == 3)
    }

    @Test func hooksRunFromTheOutsideInBeforeEachTest() throws {
        let file = try TestedFile(
            """
            let log = [];
            beforeEach(() => log.push(1));
            describe('g', () => {
              beforeEach(async () => log.push(2));
              test('a', () => expect(log).toEqual([1, 2]));
            });
            test('b', () => expect(log).toEqual([1, 2, 1]));
            """)
        #expect(file.outcome(of: 0).failure == nil)
        #expect(file.outcome(of: 1).failure == nil)
    }

    @Test func namesAreGlobalsAndInTheLibrary() throws {
        let body =
            "const lib = require('imgscript/test'); expect(lib.test).toBe(test); expect(lib.run).toBe(run); expect(lib.it).toBe(it)"
        #expect(try TestedFile.result(of: body) == "passed")
    }

    @Test func failureStandsInTheTestFile() throws {
        let file = try TestedFile(
            "test('t', () => {\n  const check = (n) => {\n    expect(n).toBe(2);\n  };\n  check(1);\n});")
        #expect(file.outcome().failure?.location == SourceLocation(file: "made.test.js", line: 3, column: 19))
    }

    @Test(arguments: [
        ("async () => { await null; expect(1).toBe(2); }", "toBe: expected 2, found 1"),
        ("async () => { await null; await Promise.resolve(); }", "passed"),
        (
            "() => new Promise(() => {})",
            "the test waits for a promise that nothing keeps; run gives its results at once"
        ),
        ("() => Promise.reject(new Error('x'))", "Error: x"),
        ("() => { test('inner', () => {}); }", "Error: test: a test cannot declare another; write test beside it"),
        ("() => { throw 5; }", "threw 5; throw an Error, or call fail"),
        ("() => { throw new Proxy({}, { get() { throw 1; } }); }", "threw an object; throw an Error, or call fail"),
        ("() => { (function f() { f(); })(); }", "RangeError: Maximum call stack size exceeded."),
    ])
    func testEndsHoweverItIsWritten(_ work: String, _ message: String) throws {
        #expect(try (TestedFile("test('t', \(work));").outcome().failure?.message ?? "passed") == message)
    }

    @Test(arguments: [
        ("for (let i = 0; i < 1e6; i++) test('t', () => {});", "RangeError: a test file has at most 2000 tests"),
        ("test('t');", "TypeError: test: expected a function, found undefined"),
        ("test('', () => {});", "TypeError: test: expected a name, found \"\""),
        ("describe('g', async () => {});", "TypeError: describe: expected a plain function, found an async one"),
        ("(function f() { describe('g', f); })();", "RangeError: describe: nested too deeply"),
        ("run.search('x');", "Error: run.search: nothing runs while the file is read; call it in a test"),
        ("test.each(5)('x', () => {});", "TypeError: each: expected a list of rows, found 5"),
    ])
    func fileThatDeclaresWrongIsRefused(_ text: String, _ message: String) {
        let error = #expect(throws: ProviderError.self) { try TestedFile(text) }
        #expect(error?.message == message)
        #expect(error?.location?.file == "made.test.js")
    }

    @Test func loopIsStoppedWithItsPlaceAndTheNextTestRuns() throws {
        let file = try TestedFile("let n = 0; test('a', () => {\n  for (;;) n += 1;\n});\ntest('b', () => {});")
        file.limit(to: .milliseconds(200))
        #expect(file.outcome(of: 0).failure?.code == .timeout)
        #expect(file.outcome(of: 0).failure?.location?.line == 2)
        #expect(file.outcome(of: 1).failure == nil)
    }
}

@Suite("run asks the host and checks what comes")
struct TestOperationsTests {
    @Test func requestsGoOutWithCassettesAndResultsComeBack() throws {
        let asked = Asked()
        let file = try TestedFile(
            """
            describe('g', () => {
              cassette('one', 'two.json');
              test('a', () => {
                expect(run.search('coffee')).toEqual({ total: 1, next: [1], items: [{ id: '1', type: 'image', media: [], title: 'hi' }] });
                cassette('three');
                run.search({ text: 'tea' });
              });
              test('b', () => { run.search('x'); });
            });
            """, answer: asked.responding("hi"))
        #expect(file.outcome(of: 0).failure == nil)
        #expect(file.outcome(of: 1).failure == nil)
        #expect(asked.cassettes == [["one", "two"], ["three"], ["one", "two"]])
    }

    @Test(arguments: [
        ("'coffee'", #"{"text":"coffee","page":0,"offset":0,"limit":10,"params":{"order":"new"}}"#),
        ("{ text: 'a', page: 3, limit: 5 }", #"{"text":"a","page":2,"offset":10,"limit":5,"params":{"order":"new"}}"#),
        ("{ offset: 40, limit: 1 }", #"{"text":"","page":20,"offset":40,"limit":2,"params":{"order":"new"}}"#),
        (
            "{ limit: 1000, cursor: { a: [1] } }",
            #"{"text":"","page":0,"offset":0,"limit":50,"cursor":{"a":[1]},"params":{"order":"new"}}"#
        ),
        (
            "{ params: { order: 'top', tags: ['a', 'b'], size: 4, safe: true } }",
            #"{"text":"","page":0,"offset":0,"limit":10,"params":{"order":"top","tags":["a","b"],"size":4,"safe":true}}"#
        ),
        (
            "{ near: { lat: 1.5, lon: 2 } }",
            #"{"text":"","page":0,"offset":0,"limit":10,"params":{"order":"new"},"near":{"lat":1.5,"lon":2}}"#
        ),
    ])
    func queryIsAsForAUser(_ query: String, _ seen: String) throws {
        let asked = Asked()
        let file = try TestedFile("test('t', () => { run.search(\(query)); });", answer: asked.responding("x"))
        #expect(file.outcome().failure == nil)
        #expect(asked.queries == [seen])
    }

    @Test(arguments: [
        ("run.search({ text: 1 })", "Error: run.search: text: expected a string, found 1"),
        (
            "run.search({ txt: 'a' })",
            "Error: run.search: txt: expected one of text, limit, params, page, offset, cursor, near, image, instance"
        ),
        ("run.search({ limit: 0 })", "Error: run.search: limit: expected a whole number of at least 1, found 0"),
        (
            "run.search({ params: { colour: 1 } })",
            "Error: run.search: params.colour: expected one of order, tags, size, safe"
        ),
        (
            "run.search({ params: { order: 'old' } })",
            "Error: run.search: params.order: expected one of new, top, found \"old\""
        ),
        (
            "run.search({ params: { size: 0 } })",
            "Error: run.search: params.size: expected a whole number of at least 1, found \"0\""
        ),
        ("run.details({ id: '1', title: 5 })", "Error: run.details: title: expected a string, found 5"),
        ("run.match(5)", "TypeError: run.match: expected a text, found 5"),
        ("run.feed()", "made: feed: this provider has no feed; it has search, details"),
    ])
    func wrongArgumentIsReportedWithItsPath(_ body: String, _ message: String) throws {
        #expect(try TestedFile.result(of: body) == message)
    }

    @Test func errorOfTheProviderIsThrownWithItsParts() throws {
        let file = try TestedFile(
            """
            test('caught', () => {
              let error;
              try { run.details('7'); } catch (thrown) { error = thrown; }
              expect(error).toBeInstanceOf(Error);
              expect({ ...error }).toEqual({ kind: 'result', path: 'title', operation: 'details', place: 'made.js:11:12' });
              expect(error.message).toBe('expected a string, found 1');
              expect(() => run.details('7')).toThrow('result');
              expect(() => run.details('7')).toThrow({ path: 'title' });
            });
            test('not caught', () => {
              run.details('7');
            });
            """, answer: Asked().responding("{}"))
        #expect(file.outcome(of: 0).failure?.message == nil)
        let failure = file.outcome(of: 1).failure
        #expect(failure?.message == "made.js:11:12 details.parse: title: expected a string, found 1")
        #expect(failure?.location == SourceLocation(file: "made.test.js", line: 11, column: 14))
        #expect(failure?.code == .result)
    }

    @Test func refusalOfTheHostIsThrown() throws {
        let refusal = ProviderError(.transport, provider: "made", message: "no recorded answer")
        let file = try TestedFile(
            "test('t', () => { expect(() => run.search('x')).toThrow('no recorded answer'); });",
            answer: { _ in .refused(refusal) })
        #expect(file.outcome().failure == nil)
    }

    @Test func limitPassedByTheProviderEndsTheTestWhateverItCatches() throws {
        let loop = TestedFile.provider.replacing(
            "parse: (res) => ({ total", with: "parse: (res) => { for (;;); }, x: (res) => ({ total")
        let file = try TestedFile(
            "test('t', () => { try { run.search('x'); } catch {} });\ntest('next', () => {});", provider: loop,
            answer: Asked().responding("x"))
        file.limit(to: .milliseconds(200))
        #expect(file.outcome(of: 0).failure?.code == .timeout)
        #expect(file.outcome(of: 1).failure == nil)
    }

    @Test func questionsOfOneTestAreBounded() throws {
        let file = try TestedFile("test('t', () => { for (;;) run.match('x'); });")
        #expect(file.outcome().failure?.message == "Error: run: a test may make at most 1000 calls")
    }

    @Test func providerCannotRunItself() throws {
        let provider = TestedFile.provider.replacing("title: res.text", with: "title: String(run.search('again'))")
        let file = try TestedFile(
            "test('t', () => { run.search('x'); });", provider: provider, answer: Asked().responding("x"))
        #expect(file.outcome().failure?.message.contains("run is for tests and cannot be called by a provider") == true)
    }
}

@Suite("Snapshots are stored, compared and distinguished")
struct SnapshotMatcherTests {
    private let text =
        "test('t', () => { expect({ b: 1, a: [2] }).toMatchSnapshot(); expect(5).toMatchSnapshot('five'); expect(6).toMatchSnapshot(); });"

    @Test func newValuesAreGivenToTheHost() throws {
        let outcome = try TestedFile(text).outcome()
        #expect(outcome.failure == nil)
        #expect(outcome.snapshots.map(\.name) == ["t 1", "t: five 1", "t 2"])
        #expect(outcome.snapshots.map(\.json) == ["{\"b\":1,\"a\":[2]}", "5", "6"])
        #expect(outcome.snapshots.allSatisfy { $0.state == .added })
    }

    @Test func keptValueIsComparedWhateverItsOrder() throws {
        let kept = [NamedValue("t 1", "{\"a\":[2],\"b\":1}"), NamedValue("t 2", "7")]
        let outcome = try TestedFile(text, snapshots: kept).outcome()
        #expect(outcome.snapshots.map(\.state) == [.matched, .added, .differs])
        #expect(outcome.failure?.message == "toMatchSnapshot: the value is not the one kept as \"t 2\"")
        #expect(outcome.failure?.expected == "7" && outcome.failure?.received == "6")
    }

    @Test func updatingTakesTheNewValue() throws {
        let outcome = try TestedFile(text, snapshots: [NamedValue("t 1", "0")], updating: true).outcome()
        #expect(outcome.failure == nil)
        #expect(outcome.snapshots[0].state == .changed)
    }

    @Test(arguments: [
        ("expect({ f() {} }).toMatchSnapshot()", "TypeError: toMatchSnapshot: expected a JSON value, found a function"),
        ("expect(undefined).toMatchSnapshot()", "TypeError: toMatchSnapshot: expected a JSON value, found undefined"),
        (
            "expect('x'.repeat(2e6)).toMatchSnapshot()",
            "RangeError: toMatchSnapshot: the snapshots of one test have at most 1 MB"
        ),
        (
            "for (let i = 0; i < 600; i++) expect(i).toMatchSnapshot()",
            "RangeError: toMatchSnapshot: one test has at most 500 snapshots"
        ),
    ])
    func valueThatCannotBeKeptIsRefused(_ body: String, _ message: String) throws {
        #expect(try TestedFile.result(of: body) == message)
    }
}

/// The host's part: what it was asked.
private final class Asked {
    private(set) var cassettes: [[String]] = []
    private(set) var queries: [String] = []

    /// Answers every request with this text.
    func responding(_ text: String) -> (TestQuestion) -> TestAnswer {
        { question in
            guard case .requests(let requests, _, let cassettes) = question else { return .item(nil) }
            self.cassettes.append(cassettes)
            self.queries += requests.compactMap { $0.url.queryItems.first { $0.name == "q" }?.value }
            return .responses(requests.map { ProviderResponse(status: 200, url: $0.url, body: Array(text.utf8)) })
        }
    }
}
