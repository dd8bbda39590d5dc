import TestSupport
import Testing

@testable import Downloads

@Suite struct SafeFileNameTests {
    @Test(arguments: [
        ("fox", "fox"),
        ("a/b\\c:d|e", "a-b-c-d-e"),
        ("what? \"this\" <is> it*", "what this is it"),
        ("..", "_"), (".", "_"), ("", "_"), ("   ", "_"),
        ("../../etc/passwd", "_..-..-etc-passwd"),
        (".hidden", "_.hidden"), ("-rf", "_-rf"), ("--help", "_--help"),
        ("line\nbreak\ttab", "line break tab"),
        ("bell\u{7}\u{0}\u{1b}[31mred", "bell[31mred"),
        ("dots and spaces. . .", "dots and spaces"),
        ("CON", "_CON"), ("con", "_con"), ("nul.txt", "_nul.txt"), ("Aux .tar", "_Aux .tar"), ("COM1", "_COM1"),
        ("lpt9.x", "_lpt9.x"), ("COM¹", "_COM¹"), ("CONIN$", "_CONIN$"), ("console", "console"), ("COM10", "COM10"),
        ("cafe\u{301}", "café"),
        ("evil\u{202E}gpj.exe", "evilgpj.exe"), ("zero\u{200B}width\u{FEFF}", "zerowidth"), ("soft\u{AD}", "soft"),
        ("a\u{2028}b\u{3000}c", "a b c"), ("狐🦊", "狐🦊"), ("tag\u{E0041}ged", "tagged"), ("\u{3164}", "_"),
    ])
    func textsBecomeSafeNames(_ text: String, _ name: String) {
        let found = SafeFileName(text).description
        #expect(Array(found.unicodeScalars) == Array(name.unicodeScalars))
    }

    @Test func endingStaysWhenTheTextIsCut() {
        let name = SafeFileName(String(repeating: "狐", count: 300), ending: ".jpg").description
        #expect(name.utf8.count <= SafeFileName.byteLimit)
        #expect(name.hasSuffix("狐.jpg"))
    }

    @Test func cutIsMadeBetweenCharacters() {
        let name = SafeFileName(String(repeating: "a", count: 230) + "🇫🇷").description
        #expect(name == String(repeating: "a", count: 230))
    }

    @Test func characterLongerThanTheLimitIsCutToo() {
        let name = SafeFileName("e" + String(repeating: "\u{316}", count: 500)).description
        #expect(name.utf8.count <= SafeFileName.byteLimit && name.unicodeScalars.first == "e")
    }

    @Test(arguments: [("fox", false), ("a/b", true), ("e\u{301}", false), (".x", true)])
    func alterationIsReported(_ text: String, _ isAltered: Bool) { #expect(SafeFileName(text).isAltered == isAltered) }

    @Test func noTextMakesAnUnsafeName() {
        var generator = SeededGenerator(seed: 1)
        let pool: [Unicode.Scalar] = [
            ".", "-", "/", "\\", " ", "\0", "\n", "a", "é", "\u{301}", "\u{202E}", "🦊", ":", "\u{FFFF}",
        ]
        for _ in 0..<5_000 {
            var text = String.UnicodeScalarView()
            let count = Int.random(in: 0...12, using: &generator)
            for _ in 0..<count { text.append(pool.randomElement(using: &generator)!) }
            let name = SafeFileName(String(text), ending: Bool.random(using: &generator) ? ".jpg" : "").description
            #expect(!name.isEmpty && name != "." && name != "..")
            #expect(!name.hasPrefix("-") && !name.hasPrefix(".") && !name.hasSuffix(".") && !name.hasSuffix(" "))
            #expect(!name.unicodeScalars.contains { "/\\:\0\n\u{202E}".unicodeScalars.contains($0) })
        }
    }
}
