import Foundation
import Packs
import ProviderModel
import TestSupport
import Testing

struct VersionRangeTests {
    @Test(arguments: [
        ("^1.2.3", "1.9.0", true), ("^1.2.3", "2.0.0", false), ("^1.2.3", "1.2.2", false), ("^0.2.3", "0.3.0", false),
        ("^0.0.3", "0.0.4", false), ("~1.2.3", "1.2.9", true), ("~1.2.3", "1.3.0", false), ("~1", "1.9.9", true),
        ("1.x", "1.5.0", true), ("1.2.*", "1.3.0", false), ("*", "7.0.0", true), ("", "7.0.0", true),
        (">=1.2 <2 || 5.x", "5.1.0", true), (">=1.2 <2 || 5.x", "3.0.0", false), ("1.2 - 1.4", "1.4.9", true),
        ("1.2.3 - 2.3.4", "2.3.5", false), (">1.2", "1.2.9", false), ("<=1.2", "1.2.9", true),
        (">= 1.2.3", "1.2.3", true),
        ("^1.2.3-beta.2", "1.2.3-beta.4", true), ("^1.2.3-beta.2", "1.2.4-beta.1", false), ("*", "1.0.0-a", false),
        ("<2.0.0", "2.0.0-rc.1", false), ("1.2.3", "1.2.3+build", true),
    ])
    func takes(range: String, version: String, isWithin: Bool) throws {
        let found = try #require(VersionRange(range)).contains(try #require(SemanticVersion(version)))
        #expect(found == isWithin)
    }

    @Test(arguments: ["latest", "^", "1.2.3.4", "a || b", "1 - ", ">=x.y", "^1.2.3 latest", "https://example.com"])
    func isNoRange(text: String) { #expect(VersionRange(text) == nil) }

    @Test func highestOfThoseWithinIsTaken() throws {
        let versions = ["1.0.0", "1.10.0", "1.9.0", "2.0.0", "1.11.0-rc.1"].compactMap { SemanticVersion($0) }
        #expect(try #require(VersionRange("^1")).highest(of: versions)?.description == "1.10.0")
        #expect(try #require(VersionRange("^3")).highest(of: versions) == nil)
    }

    /// npm's own library, in the folders that npm is installed in.
    private static let library = ["/usr/lib/node_modules/npm/node_modules/semver", "/usr/share/nodejs/semver"]
        .first { FileManager.default.fileExists(atPath: "\($0)/package.json") }

    @Test(.enabled(if: library != nil && HelperProcess.path(of: "node") != nil, "npm is not installed"))
    func everyRangeTakesWhatNpmTakes() throws {
        var chance = SeededGenerator(seed: 7)
        let numbers = ["0", "1", "2", "x", "*"]
        let tails = ["", "", "", "-0", "-beta", "-beta.2", "-rc.1+b"]
        func number() -> String { String(Int.random(in: 0...2, using: &chance)) }
        func partial() -> String {
            let parts = (0..<Int.random(in: 1...3, using: &chance)).map { _ in numbers.randomElement(using: &chance)! }
            return parts.joined(separator: ".") + (parts.count == 3 ? tails.randomElement(using: &chance)! : "")
        }
        let ranges = (0..<600).map { index -> String in
            if index % 9 == 0 { return "\(partial()) - \(partial())" }
            let words = (0..<Int.random(in: 1...2, using: &chance)).map { _ in
                ["", "^", "~", ">=", "<=", ">", "<", "=", ">= ", "^ "].randomElement(using: &chance)! + partial()
            }
            return words.joined(separator: index % 5 == 0 ? " || " : " ")
        }
        let versions = (0..<60).map { _ in "\(number()).\(number()).\(number())" + tails.randomElement(using: &chance)!
        }
        let folder = TemporaryFolder()
        let input = try JSONEncoder().encode([ranges, versions])
        try input.write(to: URL(filePath: "\(folder.path)/in.json"))
        let script = """
            const semver = require('\(Self.library ?? "")');
            const [ranges, versions] = JSON.parse(require('fs').readFileSync('in.json'));
            console.log(JSON.stringify(ranges.map((r) => versions.map((v) => semver.satisfies(v, r)))));
            """
        let run = try ToolRun(try #require(HelperProcess.path(of: "node")), ["-e", script], in: folder.path)
        let expected = try JSONDecoder().decode([[Bool]].self, from: Data(run.output.utf8))
        #expect(expected.joined().contains(true))
        for (range, expected) in zip(ranges, expected) {
            let parsed = VersionRange(range)
            for (version, isWithin) in zip(versions, expected) {
                let found = parsed?.contains(try #require(SemanticVersion(version))) ?? false
                if found != isWithin { Issue.record("\(range) takes \(version): \(found), npm says \(isWithin)") }
            }
        }
    }
}
