import Testing

@testable import Packs

struct FilePatternTests {
    @Test(arguments: [
        ("*.js", "a.js", true), ("*.js", "lib/a.js", true), ("/*.js", "lib/a.js", false), ("lib", "lib/a/b.js", true),
        ("lib/", "lib/a.js", true), ("lib/", "lib", false), ("lib/*.js", "lib/a.js", true),
        ("lib/*.js", "x/lib/a.js", false), ("**/lib", "x/y/lib/a", true), ("lib/**", "lib/x/y", true),
        ("a/**/z", "a/z", true), ("a/**/z", "a/b/c/z", true), ("a?c", "abc", true), ("a?c", "ac", false),
        ("[a-c].js", "b.js", true), ("[!a-c].js", "b.js", false), ("*.{js,ts}", "a.ts", true),
        ("*.{js,ts}", "a.c", false),
        ("./a.js", "a.js", true), ("./a.js", "b/a.js", false), ("a*b*c", "axxbyyc", true), ("a*b*c", "axxbyy", false),
        ("\\#x", "#x", true), ("*", ".hidden", true), ("x\\", "x", false), ("[", "[", true), ("[]a]", "]", true),
        ("[c-a]", "b", false), ("**/**", "a", true), ("a/**/**/b", "a/b", true), ("{a,}{b,}c", "c", true),
    ])
    func matches(pattern: String, path: String, isMatch: Bool) throws {
        let segments = path.split(separator: "/").map(Array.init)
        #expect(try #require(FilePattern(pattern)).matches(file: segments) == isMatch)
    }

    @Test(arguments: [
        (String(repeating: "{a,b}", count: 40), "ab"),
        (String(repeating: "**/a/", count: 40) + "x", String(repeating: "a/", count: 200)),
        (
            String(repeating: "{,}", count: 10) + String(repeating: "**/*a*/", count: 40) + "x",
            String(repeating: "aaaa/", count: 100)
        ),
    ])
    func manyBracesAndStarsTakeBoundedTime(pattern: String, path: String) throws {
        let segments = path.split(separator: "/").map(Array.init)
        let start = ContinuousClock.now
        #expect(try #require(FilePattern(pattern)).matches(file: segments) == false)
        let took = ContinuousClock.now - start
        #expect(took < .seconds(10))
    }

    @Test(arguments: ["", "   ", "# remark", "/"])
    func isNone(line: String) { #expect(FilePattern(line: line[...]) == nil) }
}
