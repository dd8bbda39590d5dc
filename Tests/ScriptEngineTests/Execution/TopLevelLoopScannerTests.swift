import Testing

@testable import ScriptEngine

@Suite("Loops that keep a file from being loaded are found")
struct TopLevelLoopScannerTests {
    /// `§` marks the place that the engine gives, `¶` the loop that is meant; without the first, the engine gives none.
    @Test(arguments: [
        "¶while (true) {}", "let i = 0;\n¶for (;;) { i++; }", "¶do {} while (1)", "label: ¶for (;;) continue label;",
        "const { fail } = §require('imgscript');\n// while we wait\n¶while (true) {}\nmodule.exports = { a: 1 };",
        "const text = 'for (;;) {}', pattern = /while['\"]/, more = `for ${'}'} do`;\n¶for (;;) ;\nmodule§.exports = {};",
        "function f() { for (;;) {} }\nconst g = () => { while (1) {} }, o = { for: 1, do() { do {} while (0) } };\n"
            + "§f;\n¶while (g) { if (o) { continue } }",
        "for (const a of []) { a }\n§call();\n¶for (;;) {}\nfor (;;) {}",
        "if (§x()) { ¶while (true) ; } else { y }",
        "/* for */ class A { m(x) { for (;;) {} } }\n§A.a;\n¶do { } while (true)",
    ])
    func loopIsThatNearThePlace(marked: String) throws {
        let (text, place, loop) = try Self.read(marked)
        #expect(TopLevelLoopScanner(in: text).start(near: place) == loop)
    }

    @Test(arguments: [
        "for (;;) { §a.push(1) }", "while (1) §f();\ng();", "function f() { while (1) {} }\n§f()", "§f(10 / 2 / 1)", "",
        "while (1) {}\nwhile (2) {}",
    ])
    func placeOfTheEngineIsKeptWhereItSaysMore(marked: String) throws {
        let (text, place, _) = try Self.read(marked)
        #expect(TopLevelLoopScanner(in: text).start(near: place) == nil)
    }

    @Test(arguments: ["{[(", "`${", "'", "/[", "}}))", "while", "for (", "/*", "do", "\\", "é while (1) {"])
    func brokenTextIsReadToItsEnd(text: String) {
        _ = TopLevelLoopScanner(in: text)
        _ = TopLevelLoopScanner(in: String(repeating: text, count: 50)).start(near: 3)
    }

    private static func read(_ marked: String) throws -> (text: String, place: Int?, loop: Int?) {
        func offset(of mark: Character) -> Int? {
            let text = marked.filter { $0 == mark || $0 != "§" && $0 != "¶" }
            return text.firstIndex(of: mark).map { text.utf8.distance(from: text.startIndex, to: $0) }
        }
        return (marked.filter { $0 != "§" && $0 != "¶" }, offset(of: "§"), offset(of: "¶"))
    }
}
