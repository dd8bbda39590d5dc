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

    /// What an author has without doing anything for it.
    @Test func newProviderInAFreshFolderIsChecked() throws {
        let folder = TemporaryFolder()
        let program = try InstalledProgram()
        #expect(try CommandRun(["providers", "new", "fresh"], in: folder.path, of: program.path).status == 0)
        let project = "\(folder.path)/providers/jsconfig.json"
        #expect(try Self.errors(checking: ["-p", project]) == [])
        let path = "\(folder.path)/providers/fresh.js"
        let text = try String(contentsOfFile: path, encoding: .utf8)
        try text.replacing("q.text", with: "q.txet").write(
            toFile: path, atomically: true, encoding: .utf8)
        #expect(try Self.errors(checking: ["-p", project]).isEmpty == false)
        #expect(try CommandRun(["pack", "init", "lakes"], in: folder.path, of: program.path).status == 0)
        #expect(try Self.errors(checking: ["-p", "\(folder.path)/lakes/jsconfig.json"]) == [])
    }

    /// An author's own settings of the project stay.
    @Test func typesAreBroughtUpToDate() throws {
        let folder = TemporaryFolder()
        let program = try InstalledProgram()
        try "old".write(toFile: folder.path + "/imgscript.d.ts", atomically: true, encoding: .utf8)
        try "{}".write(toFile: folder.path + "/jsconfig.json", atomically: true, encoding: .utf8)
        let run = try CommandRun(["providers", "types", folder.path], of: program.path)
        #expect(run.output == "wrote \(folder.path)/imgscript.d.ts\n", "\(run.errors)")
        #expect(try String(contentsOfFile: folder.path + "/jsconfig.json", encoding: .utf8) == "{}")
        #expect(try CommandRun(["providers", "types", folder.path], of: program.path).output == "")
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
