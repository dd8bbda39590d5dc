import Foundation
import TestSupport
import Testing

/// What users write into `config.json` by hand: comments, nothing at all, and names that nothing has.
struct SettingsFileTests {
    private let home = TemporaryFolder()

    private func run(_ settings: String?, _ arguments: [String]) throws -> CommandRun {
        let folder = "\(home.path)/.config/imgscript"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        if let settings { FolderListing.write(settings, to: "\(folder)/config.json") }
        return try CommandRun(arguments, environment: ["HOME": home.path])
    }

    @Test(arguments: ["", "\n", "// nothing yet\n", "/* a */ {\n} // b"])
    func emptyFileHasNoSettings(_ text: String) throws {
        let run = try run(text, ["config", "get", "limit", "--show-origin"])
        #expect(run.status == 0 && run.output == "20\tdefault\n", "\(run.errors)")
    }

    @Test func commentsAreReadOverAndNotLost() throws {
        let text = """
            // mine
            {
              "contact": "https://example.org/a//b", /* at
              work */ "limit": 7, // enough
              "group": {"museums": ["met",],},
            }
            """
        let found = try run(text, ["config", "get", "limit", "--show-origin"])
        #expect(found.output == "7\tfile, line 4\n", "\(found.errors)")
        #expect(try run(nil, ["config", "get", "contact"]).output == "https://example.org/a//b\n")
        let change = try run(nil, ["config", "set", "limit", "8"])
        #expect(change.status == 64 && change.errors.contains("its comments would be lost"), "\(change.errors)")
        #expect(try run(nil, ["config", "get", "limit"]).output == "7\n")
    }

    @Test func openCommentIsAnError() throws {
        #expect(try run(#"{"limit": 7} /* more"#, ["config", "list"]).status == 64)
    }

    @Test func nameThatNoProviderHasIsToldWhenItIsSetAndRead() throws {
        let set = try run("{}", ["config", "set", "providers.opnverse.limit", "3"])
        #expect(set.status == 0 && set.errors.contains(#"unknown provider "opnverse"; did you mean "openverse"?"#))
        let group = try run(nil, ["config", "set", "group.museums", "met", "artik"])
        #expect(group.status == 0 && group.errors.contains(#"unknown provider "artik"; did you mean "artic"?"#))
        #expect(try run(nil, ["config", "set", "default-provider", "openverse"]).errors == "")
        let search = try run(nil, ["search", "-p", "openverse", "--sample", "-n", "1", "-f", "{id}", "fox"])
        #expect(search.status == 0, "\(search.errors)")
        for (line, name) in [(3, "opnverse"), (8, "artik")] {
            let place = "config.json, line \(line): unknown provider \"\(name)\""
            #expect(search.errors.contains(place), "\(search.errors)")
        }
        let quiet = try run(nil, ["search", "-q", "-p", "openverse", "--sample", "-n", "1", "-f", "{id}", "fox"])
        #expect(quiet.errors == "")
    }

    @Test func parameterThatAProviderHasNotIsToldWithItsSetting() throws {
        let set = try run("{}", ["config", "set", "providers.openverse.param.sourc", "x"])
        #expect(set.status == 0 && set.errors.contains(#"openverse: unknown parameter "sourc""#), "\(set.errors)")
        let search = try run(nil, ["search", "-p", "openverse", "--sample", "fox"])
        #expect(search.status != 0)
        #expect(
            search.errors.contains("imgscript config unset providers.openverse.param.sourc removes it"),
            "\(search.errors)")
        #expect(search.errors.contains("file, line 5"), "\(search.errors)")
    }
}
