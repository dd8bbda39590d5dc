import ProviderModel
import ProviderRuntime
import Synchronization
import TestSupport
import Testing

@Suite("What a script leaves behind reaches no other call", .serialized)
struct ScriptLifetimeTests {
    private let settings = WorkerSettings.patient

    @Test func endlessLoopIsStoppedAfterTheStandardTwoSeconds() async throws {
        var script = HostileScript.parse(
            "endless loop", "for (;;) q.page += 1;", .timeout, "ran longer than 2 s and was stopped")
        script.place = "5:39"
        try await HostileScriptCheck(deadline: .seconds(2)).run(script)
    }

    @Test func promiseStormIsStoppedAfterTheStandardTwoSeconds() async throws {
        try await HostileScriptCheck(deadline: .seconds(2)).run(
            .parse(
                "storm", "(function f() { Promise.resolve().then(f) })()", .timeout,
                "ran longer than 2 s and was stopped"))
    }

    @Test func excessLinesAreCutAndReported() async throws {
        let lines = Mutex<[String]>([])
        var settings = settings
        settings.log = { line in lines.withLock { $0.append(line.text) } }
        let pool = WorkerPool(settings: settings)
        let source = HostileScript.file(
            search: search("for (let i = 0; i < 1e5; i++) console.log(i); return { items: [] };"))
        let script = try await ScriptUnderTest(source, as: "hostile", in: pool)
        try await script.search()
        #expect(lines.withLock { $0.count } == 501)
        #expect(lines.withLock { $0.last } == "console: further output of this step was dropped")
        try await script.search()
        #expect(lines.withLock { $0.count } == 1_002, "a new step has a new allowance")
        await pool.close()
    }

    @Test func excessBytesAreCutToo() async throws {
        let bytes = Mutex(0)
        var settings = settings
        settings.log = { line in bytes.withLock { $0 += line.text.utf8.count } }
        let pool = WorkerPool(settings: settings)
        let source = HostileScript.file(
            search: search("for (let i = 0; i < 400; i++) console.log('x'.repeat(1e6)); return { items: [] };"))
        try await ScriptUnderTest(source, as: "hostile", in: pool).search()
        #expect(bytes.withLock { $0 } < 300_000)
        await pool.close()
    }

    @Test(arguments: ["response.text", "response.json", "response.html.title", "response.xml"])
    func responseOfACallThatIsOverIsRefused(_ read: String) async throws {
        let pool = WorkerPool(settings: settings)
        let source =
            HostileScript.file(
                search: search("if (kept) kept(); kept = () => \(read); return { items: [] };")) + "\nlet kept;"
        let script = try await ScriptUnderTest(source, as: "hostile", in: pool)
        try await script.search()
        let error = await #expect(throws: ProviderError.self) { try await script.search() }
        #expect(error?.message == "Error: this response belongs to an earlier call")
        #expect(error?.location?.line == 5)
        await pool.close()
    }

    @Test(
        "Old encodings are read where no file can be opened",
        arguments: [
            ("windows-1251", [0xCF, 0xF0, 0xE8], "При"), ("shift_jis", [0x93, 0x8C, 0x8B, 0x9E], "東京"),
            ("gb2312", [0xD6, 0xD0], "中"), ("iso-2022-jp", [0x1B, 0x24, 0x42, 0x45, 0x6C, 0x1B, 0x28, 0x42], "東"),
        ] as [(String, [UInt8], String)])
    func oldEncoding(_ label: String, _ bytes: [UInt8], _ text: String) async throws {
        let pool = WorkerPool(settings: settings)
        let source = HostileScript.file(
            search: search("return { items: [item({ title: response.html.querySelector('p').textContent })] };"))
        let script = try await ScriptUnderTest(source, as: "hostile", in: pool)
        let body = Array("<p>".utf8) + bytes + Array("</p>".utf8)
        #expect(try await script.search(body: body, type: "text/html; charset=\(label)").items.first?.title == text)
        await pool.close()
    }

    @Test func documentOfACallThatIsOverIsRefused() async throws {
        let pool = WorkerPool(settings: settings)
        let source =
            HostileScript.file(
                search: search(
                    "if (kept) kept.querySelector('a').textContent; kept = response.html; return { items: [] };"))
            + "\nlet kept;"
        let script = try await ScriptUnderTest(source, as: "hostile", in: pool)
        try await script.search(body: "<a>1</a>", type: "text/html")
        let error = await #expect(throws: ProviderError.self) {
            try await script.search(body: "<a>2</a>", type: "text/html")
        }
        #expect(error?.code == .script)
        #expect(error?.message.contains("the response of an earlier call") == true)
        await pool.close()
    }

    @Test func stateOfOneProviderIsNotSeenByAnother() async throws {
        let pool = WorkerPool(settings: settings)
        let source = HostileScript.file(
            search: search("globalThis.n = (globalThis.n ?? 0) + 1; return { items: [], total: 0, next: n };"))
        let first = try await ScriptUnderTest(source, as: "first", in: pool)
        let second = try await ScriptUnderTest(source, as: "second", in: pool)
        _ = try await first.search()
        _ = try await first.search()
        #expect(try await second.search().next == .cursor(JSONText(validated: "1")))
        await pool.close()
    }

    @Test func exportsThatChangeAreReadOnce() async throws {
        let pool = WorkerPool(settings: settings)
        let source =
            HostileScript.file(search: "null")
            + "\nlet reads = 0; Object.defineProperty(module.exports, 'search', { enumerable: true, get() { reads += 1;"
            + " if (reads > 3) throw new Error('again'); return { request: () => ({ url: 'https://example.com/' }), parse: () => ({ items: [item({ id: String(reads) })] }) }; } });"
        let script = try await ScriptUnderTest(source, as: "hostile", in: pool)
        #expect(try await script.search().items.first?.id == "3")
        #expect(try await script.search().items.first?.id == "3")
        await pool.close()
    }

    @Test func modulesMayNeedOneAnother() async throws {
        let files = [
            "a.js": "exports.name = 'a'; exports.other = require('./b').name;",
            "b.js": "exports.name = 'b' + require('./a').name;",
        ]
        let text = HostileScript.file(search: search("return { items: [item({ title: load('./a').other })] };"))
        let source = ScriptSource(file: "hostile.js", text: text) { path throws(ModuleNotFound) in
            guard let text = files[path] else { throw ModuleNotFound("no \(path)") }
            return text
        }
        let pool = WorkerPool(settings: settings)
        let script = try await ScriptUnderTest(source, as: "hostile", in: pool)
        #expect(try await script.search().items.first?.title == "ba")
        await pool.close()
    }

    @Test func brokenModuleIsNamed() async throws {
        let text = HostileScript.file(search: search("return load('./broken');"))
        let source = ScriptSource(file: "hostile.js", text: text) { _ throws(ModuleNotFound) in "\n\nconst = 1;" }
        let pool = WorkerPool(settings: settings)
        let script = try await ScriptUnderTest(source, as: "hostile", in: pool)
        let error = await #expect(throws: ProviderError.self) { try await script.search() }
        #expect(error?.location == SourceLocation(file: "broken.js", line: 3, column: 7))
        await pool.close()
    }

    @Test func modulesWithoutEndAreRefused() async throws {
        let text = HostileScript.file(search: search("for (let i = 0; ; i++) load('./n' + i);"))
        let source = ScriptSource(file: "hostile.js", text: text) { _ throws(ModuleNotFound) in "" }
        let pool = WorkerPool(settings: settings)
        let script = try await ScriptUnderTest(source, as: "hostile", in: pool)
        let error = await #expect(throws: ProviderError.self) { try await script.search() }
        #expect(error?.message == "Error: require: a provider has at most 64 files")
        await pool.close()
    }

    @Test(arguments: [
        ("(1234.5).toLocaleString('de')", "1.234,5"),
        ("new Date(0).toLocaleString('en-GB', { timeZone: 'America/New_York' })", "31/12/1969, 19:00:00"),
        ("new Intl.DateTimeFormat('ja', { era: 'long' }).format(new Date(0)).slice(0, 2)", "西暦"),
        ("['z', 'ä', 'a'].sort(new Intl.Collator('sv').compare).join('')", "azä"),
        ("'Å'.normalize('NFD').length + 'ß'.toLocaleUpperCase('de')", "2SS"),
        (
            "[...new Intl.Segmenter('th', { granularity: 'word' }).segment('สวัสดีชาวโลก')].length > 1 ? 'words' : ''",
            "words"
        ),
        ("/^\\p{Script=Greek}+$/u.test('αβγ') ? 'Greek' : ''", "Greek"),
        (
            "new Date('2024-03-10T12:00:00').toString()",
            "Sun Mar 10 2024 12:00:00 GMT+0000 (Coordinated Universal Time)"
        ),
        ("Date.parse('Wed, 01 May 2024 12:00:00 GMT') + ''", "1714564800000"),
        ("encodeURIComponent('ä') + escape('ä')", "%C3%A4%E4"),
    ])
    func languageIsWholeInsideTheSandbox(_ expression: String, _ text: String) async throws {
        let pool = WorkerPool(settings: settings)
        let source = HostileScript.file(search: search("return { items: [item({ title: \(expression) })] };"))
        let page = try await ScriptUnderTest(source, as: "calm", in: pool).search()
        #expect(page.items.first?.title == text)
        await pool.close()
    }

    @Test func promisesLeftBehindDoNotDelayTheNextCall() async throws {
        let pool = WorkerPool(settings: settings)
        let source = HostileScript.file(
            search: search(
                "for (let i = 0; i < 1e4; i++) new Promise(() => {}).then(() => { for (;;) {} }); return { items: [] };"
            ))
        let script = try await ScriptUnderTest(source, as: "hostile", in: pool)
        for _ in 0..<3 { try await script.search() }
        await pool.close()
    }

    private func search(_ body: String) -> String {
        "{ request: () => ({ url: 'https://example.com/' }),\n  parse: (response, q) => { \(body) } }"
    }
}
