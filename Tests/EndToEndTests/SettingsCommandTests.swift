import Foundation
import TestSupport
import Testing

/// `imgscript config`, profiles, and the settings of single providers.
struct SettingsCommandTests {
    private let home = TemporaryFolder()

    private var path: String { "\(home.path)/.config/imgscript/config.json" }

    private func run(_ arguments: [String], environment: [String: String] = [:]) throws -> CommandRun {
        try CommandRun(arguments, environment: ["HOME": home.path].merging(environment) { $1 })
    }

    private func config(_ line: String..., environment: [String: String] = [:]) throws -> CommandRun {
        try run(["config"] + line, environment: environment)
    }

    @Test func valueIsSetReadAndRemoved() throws {
        #expect(try config("set", "timeout", "30").status == 0)
        #expect(try config("set", "providers.danbooru.param.rating", "safe").status == 0)
        #expect(try config("set", "group.museums", "met", "artic").status == 0)
        #expect(try config("get", "timeout").output == "30\n")
        #expect(try config("get", "group.museums").output == "met\nartic\n")
        #expect(try config("get", "providers.danbooru.timeout", "--show-origin").output == "30\tfile, line 2\n")
        #expect(try config("get", "limit", "--show-origin").output == "20\tdefault\n")
        #expect(
            try config("get", "retries", "--show-origin", environment: ["IMGSCRIPT_RETRIES": "7"]).output
                == "7\tenvironment IMGSCRIPT_RETRIES\n")
        #expect(try config("unset", "timeout").status == 0)
        #expect(try config("get", "timeout").output == "20\n")
        #expect(try config("unset", "timeout").status == 4)
        #expect(try config("path").output == "\(path)\n")
    }

    @Test(arguments: [
        (["set", "timout", "3"], #"unknown setting "timout"; did you mean "timeout"?"#),
        (["set", "timeout", "fast"], #"invalid value "fast" (expected a number from 0.1 to 3600)"#),
        (["set", "limit", "1", "2"], "found 2 values (expected one n)"),
        (["set", "quiet", "maybe"], #"found "maybe" (expected true or false)"#),
        (["set", "param", "x"], "param: found one value (expected values by their names)"),
        (["set", "providers.Met.limit", "3"], #"invalid provider name "Met""#),
        (["get", "nothing"], #"unknown setting "nothing""#), (["list", "--profile", "x"], #"unknown profile "x""#),
    ])
    func slipIsNamedAndNothingIsWritten(_ arguments: [String], _ message: String) throws {
        let result = try run(["config"] + arguments)
        #expect(result.status == 64 && result.errors.contains(message), "\(result.errors)")
        #expect(result.errors.contains("hint: "))
        #expect(!FileManager.default.fileExists(atPath: path))
    }

    @Test func listHasTheOriginOfEachValue() throws {
        _ = try config("set", "proxy", "http://anna:secret@proxy.example:3128")
        _ = try config("set", "profiles.work.timeout", "3")
        _ = try config("set", "providers.met.limit", "7")
        let list = try config(
            "list", "--profile", "work", "--retries", "1", environment: ["IMGSCRIPT_MAX_BODY": "9"]
        ).output.split(separator: "\n").map {
            $0.split(separator: " ", omittingEmptySubsequences: true).joined(separator: " ")
        }
        for line in [
            "timeout 3 profile work, line 5", "retries 1 option", "max-body 9 environment IMGSCRIPT_MAX_BODY",
            "providers.met.limit 7 file, line 10", "proxy http://anna:***@proxy.example:3128 file, line 2",
        ] { #expect(list.contains(line), "\(line) in \(list)") }
        #expect(try config("list", "--all").output.contains("maximum number of images per provider"))
    }

    @Test func manyChangesAtOnceAreAllKept() throws {
        let names = (1...8).map { "p\($0)" }
        let change = "imgscript config set providers.{}.limit 3"
        try FileManager.default.createDirectory(atPath: "\(home.path)/.config", withIntermediateDirectories: true)
        let run = try CommandRun(
            shell: "printf '%s\\n' \(names.joined(separator: " ")) | xargs -P 8 -I{} \(change)",
            environment: ["HOME": home.path])
        #expect(run.status == 0, "\(run.errors)")
        for name in names { #expect(try config("get", "providers.\(name).limit").output == "3\n") }
    }

    @Test func editorChangesTheFileAndItIsChecked() throws {
        let script = "\(home.path)/editor"
        try "#!/bin/sh\necho '{\"limti\": 3}' >\"$1\"\n".write(toFile: script, atomically: true, encoding: .utf8)
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: script)
        let result = try config("edit", environment: ["EDITOR": script])
        #expect(result.status == 64)
        #expect(result.errors.contains(#"line 1: unknown setting "limti"; did you mean "limit"?"#), "\(result.errors)")
        #expect(try config("edit", environment: ["EDITOR": "false"]).status == 1)
    }

    /// A file that cannot be used ends other commands, and is mended by these.
    @Test func unusableFileIsMended() throws {
        _ = try config("set", "limit", "3")
        try #"{"limti": 3}"#.write(toFile: path, atomically: true, encoding: .utf8)
        #expect(try run(["providers"]).status == 64)
        #expect(try run(["search", "--help"]).status == 0)
        #expect(try config("unset", "limti").status == 0)
        #expect(try run(["cache"]).status == 0)
    }

    @Test func linkToNothingIsLeftAsItIs() throws {
        let folder = "\(home.path)/.config/imgscript"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: "nowhere.json")
        let set = try config("set", "limit", "3")
        #expect(set.status != 0 && set.errors.contains("it is a symbolic link to nothing"), "\(set.errors)")
        #expect(try FileManager.default.destinationOfSymbolicLink(atPath: path) == "nowhere.json")
    }

    @Test func settingsOfAProviderAreItsAlone() throws {
        let source = try LoopbackSource { _ in .answer(text: LoopbackSource.page(1...5, total: 5)) }
        try source.add("other", LoopbackSource.provider("other", port: source.server.port))
        _ = try config("set", "providers.loop.limit", "2")
        _ = try config("set", "profiles.many.providers.loop.limit", "4")
        let search = ["search", "x", "--no-cache", "-f", "{provider}"] + source.arguments
        func counts(_ options: [String], _ environment: [String: String] = [:]) throws -> [Int] {
            let lines = try run(search + options, environment: environment).output.split(separator: "\n")
            return ["loop", "other"].map { name in lines.count { $0 == name } }
        }
        #expect(try counts(["-p", "loop", "-p", "other"]) == [2, 5])
        #expect(try counts(["-p", "loop"]) == [2, 0])
        #expect(try counts(["-p", "loop", "-p", "other", "--profile", "many"]) == [4, 5])
        #expect(try counts(["-p", "loop", "-p", "other"], ["IMGSCRIPT_PROFILE": "many"]) == [4, 5])
        #expect(try counts(["-p", "loop", "-p", "other", "-n", "1"]) == [1, 1])
        #expect(try counts(["-p", "loop", "-p", "other", "--provider-option", "other:limit=3"]) == [2, 3])
    }

    @Test func retriesAndProxyOfAProviderAreItsAlone() throws {
        let proxy = try LoopbackServer { _ in .answer(text: LoopbackSource.page(1...1, total: 1)) }
        let source = try LoopbackSource { _ in .answer(503, headers: [("Retry-After", "0")], text: "no") }
        try source.add("other", LoopbackSource.provider("other", port: source.server.port))
        _ = try config("set", "providers.loop.proxy", "http://127.0.0.1:\(proxy.port)")
        _ = try config("set", "providers.other.retries", "1")
        let result = try run(
            ["search", "x", "--no-cache", "-p", "loop", "-p", "other", "--allow-host", "127.0.0.1:\(proxy.port)"]
                + source.arguments)
        #expect(result.status == 2, "\(result.errors)")
        #expect(proxy.requests.count == 1 && source.server.requests.count == 2, "\(result.errors)")
    }

    @Test func optionThatDoesNotGoWithASettingSaysSo() throws {
        _ = try config("set", "format", "urls")
        let result = try run(["search", "x", "--tags", "--sample"])
        #expect(result.status == 64)
        #expect(
            result.errors.contains("its settings do not go with these options: --tags: unsupported format"),
            "\(result.errors)")
        #expect(
            try run(["search", "-p", "loop", "x", "--provider-option", "loop:jobs=3"]).errors.contains(
                "unknown option \"jobs\""))
    }
}
