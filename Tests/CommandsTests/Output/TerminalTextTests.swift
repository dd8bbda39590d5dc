import Testing

@testable import Commands

struct TerminalTextTests {
    @Test(arguments: [
        ("plain", "plain"),
        ("  two  spaces ", "two spaces"),
        ("a\u{1b}]0;owned\u{07}b", "ab"),
        ("a\u{1b}]8;;https://evil.example/\u{1b}\\b\u{1b}]8;;\u{1b}\\c", "abc"),
        ("a\u{9d}0;owned\u{9c}b", "ab"),
        ("a\u{1b}[1;31mb\u{1b}[0m", "ab"),
        ("a\u{9b}2Jb", "ab"),
        ("a\u{1b}[?25", "a"),
        ("a\u{1b}P+q544e\u{1b}\\b", "ab"),
        ("a\u{1b}(0b", "ab"),
        ("a\u{1b}cb", "ab"),
        ("a\u{1b}\u{1b}[2Jb", "ab"),
        ("a\u{1b}]0;no end", "a0;no end"),
        ("a\u{08}\u{7f}\u{00}b", "ab"),
        ("one\r\ntwo\u{2028}three\u{2029}four\tfive", "one two three four five"),
        ("overwritten\rnew", "overwritten new"),
        ("photo\u{202e}gnp.exe\u{202c}", "photognp.exe"),
        ("\u{2066}a\u{2069}\u{200e}\u{200f}\u{61c}b", "ab"),
        ("zero\u{200b}width\u{feff}\u{ad}\u{2060}", "zerowidth"),
        ("hidden\u{e0041}\u{e0042}", "hidden"),
        ("e\u{301}", "e\u{301}"),
        ("👩‍👩‍👧‍👦 ☕️ 🏴󠁧󠁢󠁥󠁮󠁧󠁿", "👩‍👩‍👧‍👦 ☕️ 🏴󠁧󠁢󠁥󠁮󠁧󠁿"),
        ("a\u{200d}b", "ab"),
        ("می\u{200c}خواهم", "می\u{200c}خواهم"),
        ("葛\u{e0100}", "葛\u{e0100}"),
    ])
    func onlyWhatCanBeReadIsLeft(text: String, expected: String) {
        #expect(Array(TerminalText.line(text).unicodeScalars) == Array(expected.unicodeScalars))
    }

    @Test func marksStackedWithoutEndAreThinnedOut() {
        let smeared = "a" + String(repeating: "\u{334}", count: 200) + "b"
        #expect(TerminalText.line(smeared).unicodeScalars.count == 8)
    }

    @Test func paragraphsAreKeptApart() {
        #expect(TerminalText.paragraphs("one\r\n\r\ntwo  \n\u{1b}[0m\nthree") == ["one", "two", "three"])
    }

    @Test(arguments: [("coffee", "coffee"), ("قهوة", "\u{2068}قهوة\u{2069}"), ("a שלום", "\u{2068}a שלום\u{2069}")])
    func rightToLeftTextIsIsolated(text: String, expected: String) {
        #expect(Array(TerminalText.isolated(text).unicodeScalars) == Array(expected.unicodeScalars))
    }

    @Test func jsonEscapesWhatATerminalActsUpon() {
        let bytes = TerminalText.escapedJSON(Array("{\"a\":\"é\u{7f}\u{9b}2J\u{202e}…\"}".utf8))
        #expect(String(decoding: bytes, as: UTF8.self) == #"{"a":"é\u007f\u009b2J\u202e…"}"#)
    }
}
