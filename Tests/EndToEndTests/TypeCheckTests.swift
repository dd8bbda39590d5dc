import Foundation
import TestSupport
import Testing

/// TypeScript, which Debian has as node-typescript; with Node it is too large to be asked of everyone who runs the tests.
enum TypeScript {
    static let compiler = ["/usr/bin/tsc", "/usr/local/bin/tsc"].first {
        FileManager.default.isExecutableFile(atPath: $0)
    }
}

/// What an editor says of providers and their tests, as TypeScript's `checkJs` has it.
@Suite(.enabled(if: TypeScript.compiler != nil, "TypeScript is not installed: apt-get install node-typescript"))
struct TypeCheckTests {
    @Test func shippedProvidersAndTheirTestsHaveTheRightTypes() throws {
        let errors = try Self.errors(in: Documentation.root.appending(path: "providers").path)
        #expect(errors == [])
    }

    @Test func documentedProvidersHaveTheRightTypes() throws {
        let providers = try DocumentedProviders()
        try Self.link(typesInto: providers.folder.path)
        // The contract's page leaves annotations of small functions out.
        let errors = try Self.errors(in: providers.folder.path).filter { !$0.contains("implicitly has an 'any' type") }
        #expect(errors == [])
    }

    @Test func scriptsOfTheGalleryPageHaveTheRightTypes() throws {
        let folder = Documentation.root.appending(path: "Sources/Gallery/Page").path
        let files = try FileManager.default.contentsOfDirectory(atPath: folder)
            .filter { $0.hasSuffix(".js") || $0.hasSuffix(".d.ts") }.map { "\(folder)/\($0)" }
        #expect(files.count > 20)
        let options = [
            "--noEmit", "--allowJs", "--checkJs", "--strict", "--target", "es2022", "--module", "es2022",
            "--moduleResolution", "node", "--lib", "es2022,dom,dom.iterable",
        ]
        #expect(try Self.errors(checking: options + files) == [])
    }

    @Test func wrongTypeIsAnError() throws {
        let folder = TemporaryFolder()
        try Self.link(typesInto: folder.path)
        try """
        /** @returns {import('imgscript').Media} */
        function file() {
          return { role: 'huge', url: 'https://a.example/' };
        }
        module.exports = { file };
        """.write(toFile: folder.path + "/a.js", atomically: true, encoding: .utf8)
        #expect(try Self.errors(in: folder.path).count == 1)
    }

    private static func link(typesInto folder: String) throws {
        let providers = Documentation.root.appending(path: "providers")
        try FileManager.default.copyItem(at: providers.appending(path: "types"), to: URL(filePath: folder + "/types"))
        try FileManager.default.copyItem(
            at: providers.appending(path: "tsconfig.json"), to: URL(filePath: folder + "/tsconfig.json"))
    }

    private static func errors(in folder: String) throws -> [String] { try errors(checking: ["-p", folder]) }

    private static func errors(checking arguments: [String]) throws -> [String] {
        let process = Process()
        process.executableURL = URL(filePath: TypeScript.compiler ?? "")
        process.arguments = arguments
        let output = Pipe()
        process.standardOutput = output
        try process.run()
        let text = String(decoding: try output.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
        process.waitUntilExit()
        return text.split(separator: "\n").map(String.init).filter { $0.contains("error TS") }
    }
}
