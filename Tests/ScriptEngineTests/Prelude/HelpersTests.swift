import ProviderModel
import Testing
import WorkerProtocol

@testable import ScriptEngine

@Suite("Helpers do what their types say")
struct HelpersTests {
    @Test(arguments: [
        // RFC 1321 §A.5, FIPS 180 examples, RFC 4231 §4.3, RFC 2202 §2 and §3.
        ("hash('md5', '')", "d41d8cd98f00b204e9800998ecf8427e"),
        ("hash('md5', 'message digest')", "f96b697d7cb7938d525a2f31aaf161d0"),
        ("hash('sha1', 'abc')", "a9993e364706816aba3e25717850c26c9cd0d89d"),
        ("hash('sha256', 'abc')", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
        (
            "hash('sha256', 'what do ya want for nothing?', { key: 'Jefe' })",
            "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843"
        ),
        ("hash('sha1', 'what do ya want for nothing?', { key: 'Jefe' })", "effcdf6ae5eb2fa2d27416d5f184df9c259a7c79"),
        ("hash('md5', 'what do ya want for nothing?', { key: 'Jefe' })", "750c783e6ab0b503eaa86e310a5db738"),
        ("hash('sha1', 'abc', { encoding: 'base64' })", "qZk+NkcGgWq6PiVxeFDCbJzQ2J0="),
        ("hash('md5', 'ä')", "8419b71c87a225a2c70b50486fbee545"),
        ("base64.encode('ä?>')", "w6Q/Pg=="),
        ("base64.decode('w6Q/Pg==')", "ä?>"),
        ("base64.decode('w6Q_Pg')", "ä?>"),
        ("decodeEntities('&amp;&lt;&#39;&#x41;&eacute;&apos;&nbsp;|&unknown;&amp')", "&<'Aé'\u{a0}|&unknown;&"),
        ("decodeEntities('&#0;&#xd800;&#1114112;&#128512;&#146;')", "\u{fffd}\u{fffd}\u{fffd}😀’"),
        ("decodeEntities('&Lleftarrow;&copy 2024 ?a=1&copy=2&lt2')", "⇚© 2024 ?a=1&copy=2&lt2"),
        ("parseHTML('<p>a <b>b</b></p>').textContent", "a b"),
        ("plainText('<p>Fog &amp; <b>sea</b></p><p>by\\n\\tAnna<br>Berg</p>')", "Fog & sea\\nby Anna\\nBerg"),
        ("plainText('a<br/><br><br><br>b <script>evil()</script>')", "a\\n\\nb"),
        ("String(plainText(null)) + plainText('<p> </p>')", "undefinedundefined"),
    ])
    func textComesOut(_ expression: String, _ text: String) {
        let json = TestEngine().json("[\(expression)]")
        #expect(json == TestEngine().json("[\"\(text)\"]"))
    }

    @Test(arguments: [
        ("'image/jpeg'", "jpeg"), ("'image/jpg; charset=binary'", "jpeg"), ("'image/svg+xml'", "svg"),
        ("'image/x-icon'", "ico"), ("'https://a.example/b.c/d.JPG?w=2.png#e.gif'", "jpeg"), ("'a.tif'", "tiff"),
        ("'.webp'", "webp"), ("'png'", "png"),
    ])
    func formatIsReadOffWhateverNamesIt(_ value: String, _ format: String) {
        #expect(TestEngine().json("fileFormat(\(value))") == "\"\(format)\"")
    }

    @Test(
        arguments: [
            "null", "undefined", "7", "''", "'https://a.com'", "'https://a.example/png/'", "'view.php?f=a.png'",
        ])
    func whatNamesNoFormatHasNone(_ value: String) {
        #expect(TestEngine().json("String(fileFormat(\(value)))") == "\"undefined\"")
    }

    @Test(arguments: [
        ("{ width: 4000, height: 3000 }, { width: 400 }", #"{"width":400,"height":300}"#),
        ("{ width: 4000, height: 3000 }, { height: 300 }", #"{"width":400,"height":300}"#),
        ("{ width: '4000', height: '3000' }, { width: 500, height: 300 }", #"{"width":400,"height":300}"#),
        ("{ width: 40, height: 30 }, { width: 400 }", #"{"width":40,"height":30}"#),
        ("{ width: 9000, height: 3 }, { width: 100 }", #"{"width":100,"height":1}"#),
        ("{ width: 40 }, { width: 400 }", "{}"), ("null, { width: 400 }", "{}"),
        ("{ width: 0, height: 0 }, { width: 400 }", "{}"),
    ])
    func sizeWithinAFrameKeepsItsShapeAndDoesNotGrow(_ arguments: String, _ size: String) {
        #expect(TestEngine().json("fit(\(arguments))") == size)
    }

    @Test(arguments: [
        ("a.jpg 300w, b.jpg 1200w, c.jpg 600w", "b.jpg 1200"), ("a.jpg, b.jpg 2x, c.jpg 1.5x", "b.jpg"),
        ("a.jpg?w=1,2 1x, b.jpg?w=3,4 2x", "b.jpg?w=3,4"), (" , a.jpg 1x,b.jpg 3x", "b.jpg"),
        ("a.jpg,,, b.jpg 2x", "b.jpg"),
        ("a.jpg 2x 3x, b.jpg", "b.jpg"), ("a.jpg 900w 600h, b.jpg 700w", "a.jpg 900"),
        ("a.jpg 0w, b.jpg 5w", "b.jpg 5"),
        ("a.jpg (1x, 2x) 9w, b.jpg 5w", "b.jpg 5"), ("a.jpg -1x, b.jpg .5x", "b.jpg"), ("a.jpg 1e3x, b.jpg", "a.jpg"),
        ("a.jpg 9W, b.jpg 5w", "b.jpg 5"), ("data:image/gif;base64,R0lGODlh 9000w, b.jpg 5w", "b.jpg 5"),
        ("a.jpg\\n300w,\\n\\tb.jpg\\f600w", "b.jpg 600"), ("", "undefined"), (" , ", "undefined"),
        ("a.jpg 9q", "undefined"),
    ])
    func largestOfASetIsTheWidestOrTheDensest(_ set: String, _ expected: String) {
        let found =
            "((found) => found ? [found.url, found.width].filter(Boolean).join(' ') : 'undefined')(largest('\(set)'))"
        #expect(TestEngine().json(found) == "\"\(expected)\"")
    }

    @Test(arguments: [
        ("<img src=a.jpg>", #"{"url":"https://a.example/b/a.jpg"}"#),
        ("<img src=a.jpg srcset='c.jpg 800w, /d.jpg 400w'>", #"{"url":"https://a.example/b/c.jpg","width":800}"#),
        ("<img src=a.jpg srcset='c.jpg 2x'>", #"{"url":"https://a.example/b/c.jpg"}"#),
        (
            "<picture><source srcset='e.avif 1600w'><img src=a.jpg srcset='c.jpg 800w'></picture>",
            #"{"url":"https://a.example/b/e.avif","width":1600}"#
        ),
        (
            "<img src='data:image/gif;base64,R0lG' data-srcset='c.jpg 300w'>",
            #"{"url":"https://a.example/b/c.jpg","width":300}"#
        ),
        ("<img alt=none>", "undefined"),
    ])
    func largestOfAnImageIsAbsolute(_ markup: String, _ expected: String) {
        let page = "parseHTML(\"<base href=https://a.example/b/>\(markup)\")"
        #expect(TestEngine().json("largest(\(page).querySelector('img'))") == expected)
    }

    @Test func setIsRelativeToTheAddressGiven() {
        let expected = #"{"url":"https://a.example/c.jpg"}"#
        #expect(TestEngine().json("largest('/c.jpg 2x', 'https://a.example/b/')") == expected)
        #expect(TestEngine().json("[null, undefined, 7, {}].map((value) => largest(value) ?? 0)") == "[0,0,0,0]")
    }

    @Test(arguments: [
        ("'2024-05-01'", "2024-05-01"), ("'2024-05'", "2024-05"), ("'2024'", "2024"),
        ("'2024-05-01 12:00:00'", "2024-05-01T12:00:00"), ("'2024-05-01T12:00:00Z'", "2024-05-01T12:00:00Z"),
        ("'2024-05-01T12:00:00.5+02:00'", "2024-05-01T12:00:00.5+02:00"),
        ("'2024-05-01 12:00:00 UTC'", "2024-05-01T12:00:00Z"),
        ("'2024-00-00'", "2024"), ("'2024-05-00'", "2024-05"),
        ("'Wed, 01 May 2024 12:00:00 GMT'", "2024-05-01T12:00:00Z"),
        ("'Wed, 01 May 2024 12:00:00 +0200'", "2024-05-01T10:00:00Z"),
        ("'Wed May 01 12:00:00 +0200 2024'", "2024-05-01T10:00:00Z"),
        ("'Wed May  1 12:00:00 UTC 2024'", "2024-05-01T12:00:00Z"),
        ("1714564800", "2024-05-01T12:00:00Z"), ("1714564800000", "2024-05-01T12:00:00Z"),
        ("'1714564800'", "2024-05-01T12:00:00Z"),
        ("1714564800.25", "2024-05-01T12:00:00.25Z"), ("-86400", "1969-12-31T00:00:00Z"),
        ("'20 Mar 2024'", "2024-03-20"), ("'2024-05-01T12:00:00,5+00'", "2024-05-01T12:00:00.5Z"),
    ])
    func dateIsReadInWhateverFormItHas(_ value: String, _ date: String) {
        #expect(TestEngine().json("parseDate(\(value))") == "\"\(date)\"")
    }

    @Test(
        arguments: [
            (
                "'https://creativecommons.org/licenses/by-nc-sa/4.0/'", "cc-by-nc-sa-4.0", "CC BY-NC-SA 4.0",
                "licenses/by-nc-sa/4.0/"
            ),
            (
                "'http://creativecommons.org/licenses/by/2.5/dk/deed.en'", "cc-by-2.5-dk", "CC BY 2.5 DK",
                "licenses/by/2.5/dk/"
            ),
            (
                "'https://creativecommons.org/publicdomain/zero/1.0/deed.de'", "cc0-1.0", "CC0 1.0",
                "publicdomain/zero/1.0/"
            ),
            (
                "'https://creativecommons.org/share-your-work/public-domain/cc0/'", "cc0-1.0", "CC0 1.0",
                "publicdomain/zero/1.0/"
            ),
            (
                "'//creativecommons.org/publicdomain/mark/1.0/'", "pdm-1.0", "Public Domain Mark 1.0",
                "publicdomain/mark/1.0/"
            ),
            ("'CC BY-SA 3.0'", "cc-by-sa-3.0", "CC BY-SA 3.0", "licenses/by-sa/3.0/"),
            ("'by', '2.0'", "cc-by-2.0", "CC BY 2.0", "licenses/by/2.0/"),
            ("'cc-by-nc'", "cc-by-nc", "CC BY-NC", nil),
            ("'CC0'", "cc0-1.0", "CC0 1.0", "publicdomain/zero/1.0/"),
            ("'pdm'", "pdm-1.0", "Public Domain Mark 1.0", "publicdomain/mark/1.0/"),
            ("'Public Domain'", "public-domain", "Public domain", nil),
        ] as [(String, String, String, String?)])
    func licenceIsKnownUnderAllItsNames(_ arguments: String, _ id: String, _ name: String, _ path: String?) {
        let url = path.map { ",\"url\":\"https://creativecommons.org/\($0)\"" } ?? ""
        #expect(TestEngine().json("license(\(arguments))") == "{\"id\":\"\(id)\",\"name\":\"\(name)\"\(url)}")
    }

    @Test(arguments: [
        ("InC/1.0/", "In Copyright", "InC"), ("NoC-US/1.0/", "No Copyright – United States", "NoC-US"),
        ("CNE/1.0/?language=en", "Copyright Not Evaluated", "CNE"),
        ("InC-OW-EU/1.0/", "In Copyright – EU Orphan Work", "InC-OW-EU"),
    ])
    func statementOfRightsHasItsNameAndPage(_ path: String, _ name: String, _ code: String) {
        let url = "https://rightsstatements.org/vocab/\(code)/1.0/"
        let json = TestEngine().json("license('http://rightsstatements.org/vocab/\(path)')")
        #expect(json == "{\"id\":\"rs-\(code.lowercased())\",\"name\":\"\(name)\",\"url\":\"\(url)\"}")
    }

    @Test(arguments: [
        "null", "7", "''", "'all rights reserved'", "'https://example.com/license'", "'by-xx'", "'toString'",
        "'https://rightsstatements.org/vocab/constructor/1.0/'",
    ])
    func licenceThatIsNotSharedIsUndefined(_ value: String) {
        #expect(TestEngine().json("license(\(value))") == "undefined")
    }

    @Test(arguments: [
        "null", "undefined", "''", "'yesterday'", "'2024-13-01'", "NaN", "'03/04/2024'", "'0000-00-00 00:00:00'",
    ])
    func dateThatIsNoneIsUndefined(_ value: String) {
        #expect(TestEngine().json("parseDate(\(value))") == "undefined")
    }

    @Test func dateThatCannotBeKnownIsToldOnce() {
        let engine = TestEngine()
        var lines: [String] = []
        engine.environment.console.output = { lines.append("\($0): \($1)") }
        _ = engine.json("[parseDate('03/04/2024'), parseDate('03/04/2024'), parseDate(null), parseDate('2024')]")
        #expect(lines == ["warning: parseDate: \"03/04/2024\" is not a date that can be known"])
    }

    @Test(arguments: [
        ("fail('rate', 'slow down')", "slow down"),
        (
            "fail(NaN, { reason: 'x' })",
            "TypeError: fail: expected one of auth, rate, notFound, blocked, unsupported, changed, or a status, found NaN"
        ),
        ("fail(404, { reason: 'x' })", "TypeError: fail: expected a message as text, found an object"),
        (
            "fail('nonsense', 'x')",
            "TypeError: fail: expected one of auth, rate, notFound, blocked, unsupported, changed, or a status, found \"nonsense\""
        ),
        ("hash('sha512', 'x')", "TypeError: hash: expected md5, sha1 or sha256, found \"sha512\""),
        ("hash('md5', 7)", "TypeError: hash: expected a string, found 7"),
        ("base64.encode(null)", "TypeError: base64.encode: expected a string, found null"),
        ("decodeEntities(undefined)", "TypeError: decodeEntities: expected a string, found undefined"),
        ("parseHTML({})", "TypeError: parseHTML: expected a string, found an object"),
        ("require('fs')", "TypeError: require: expected 'imgscript' or a module such as './theme', found \"fs\""),
        ("new URL('nonsense')", "TypeError: \"nonsense\" is not an http or https URL"),
        ("new URL('javascript:alert(1)')", "TypeError: \"javascript:alert(1)\" is not an http or https URL"),
    ])
    func misuseIsReportedInWords(_ expression: String, _ message: String) {
        #expect(TestEngine().json(expression) == message)
    }

    @Test(
        arguments: [
            (401, .auth), (403, .auth), (404, .notFound), (410, .notFound), (429, .rate), (451, .blocked),
            (400, .unsupported),
        ] as [(Int, ProviderError.Code)])
    func statusInsideAnAnswerMeansWhatItMeansOutside(_ status: Int, _ code: ProviderError.Code) throws {
        let script = try ProviderScript(
            file: "a.js",
            source: """
                module.exports = { contract: 1, id: 'a', name: 'A', version: '1.0.0', hosts: [], mediaHosts: [],
                  search: { request: () => require('imgscript').fail(\(status), 'no'), parse: () => ({}) } };
                """, in: ScriptEnvironment(memory: 256 << 20))
        let run = OperationRun(.search(ProviderQuery(text: "x")), of: script, limits: WorkerLimits())
        let error = #expect(throws: ProviderError.self) { _ = try run.start() }
        #expect(error?.code == code)
    }
}
