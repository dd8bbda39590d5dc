import CJavaScriptCore
import ProviderModel
import Testing

@testable import ScriptEngine

@Suite("Bodies become a script's text, and what it gives becomes UTF-8")
struct BodyTests {
    @Test(
        arguments: [
            "", "plain", "{\"a\":1}", "ä", "aä", "日本語", "a日b", "😀", "a😀z", "\u{0}NUL\u{0}",
            "\u{7f}\u{80}\u{7ff}\u{800}\u{ffff}",
            String(repeating: "x", count: 1_000) + "é" + String(repeating: "y", count: 1_000),
        ])
    func textComesThroughAsItIs(_ text: String) {
        let converted = ScriptText(text)
        #expect(converted.length == text.utf16.count)
        #expect(converted.utf8 == Array(text.utf8))
        #expect(converted.string == text)
    }

    @Test(
        arguments: [
            [0xff], [0x61, 0xc3], [0xc3, 0x28], [0xe2, 0x82], [0xf0, 0x9f, 0x98], [0xed, 0xa0, 0x80, 0x61],
            [0x61, 0x80, 0x80, 0x62], [0xc0, 0xaf], [0xf8, 0x88, 0x80, 0x80, 0x80],
        ] as [[UInt8]])
    func brokenBytesOfJSONAreRepairedAsSwiftRepairsThem(_ bytes: [UInt8]) {
        let response = ProviderResponse(status: 200, url: .unset, body: bytes)
        #expect(response.jsonText.string == String(decoding: bytes, as: UTF8.self))
    }

    @Test func loneSurrogateBecomesTheReplacementCharacter() {
        let units: [UInt16] = [0x61, 0xd800, 0x62]
        let text = ScriptText(owning: JSStringCreateWithCharacters(units, units.count))
        #expect(text.utf8 == Array("a\u{fffd}b".utf8))
    }

    @Test(
        arguments: [
            ("é", nil, [0xc3, 0xa9]),
            ("é", "text/plain; charset=latin1", [0xe9]),
            ("aé", "text/plain; charset=latin1", [0x61, 0xe9]),
            ("x", nil, [0xef, 0xbb, 0xbf, 0x78]),
            ("é", nil, [0xff, 0xfe, 0xe9, 0x00]),
            (
                "<?xml version=\"1.0\" encoding=\"latin1\"?>é", nil,
                Array("<?xml version=\"1.0\" encoding=\"latin1\"?>".utf8) + [0xe9]
            ),
            (" <é", "application/json; charset=utf-8", Array(" <é".utf8)),
            ("é", "text/plain; charset=none-such", [0xc3, 0xa9]),
        ] as [(String, String?, [UInt8])])
    func encodingIsWhatTheAnswerSays(_ text: String, _ type: String?, _ bytes: [UInt8]) throws {
        let headers = type.map { [NamedValue("Content-Type", $0)] } ?? []
        let url = try WebURL("https://example.com/")
        let response = ProviderResponse(status: 200, url: url, headers: headers, body: bytes)
        #expect(response.scriptText.string == text)
    }
    @Test(arguments: [
        ("<HTML><title>İİİİİİİİİİİİİİİİİİİİ</TITLE>", "an HTML page titled \"İİİİİİİİİİİİİİİİİİİİ\""),
        ("<html>", "an HTML page"),
        (" \n", "an empty body"), ("no  JSON", "\"no JSON\""),
    ])
    func bodyIsReportedByItsBeginning(_ body: String, _ text: String) throws {
        let response = ProviderResponse(status: 200, url: try WebURL("https://example.com/"), body: Array(body.utf8))
        #expect(BodyPreview(response).description == text)
    }
}
