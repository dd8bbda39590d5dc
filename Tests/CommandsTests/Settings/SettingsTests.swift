import Foundation
import TestSupport
import Testing

@testable import Commands

@Suite("Settings come from a file, a profile, the environment and options")
struct SettingsTests {
    private let folder = TemporaryFolder()

    private func read(
        _ text: String, environment: [String: String] = [:], profile: String? = nil
    ) throws -> Settings {
        try text.write(toFile: folder.path + "/config.json", atomically: true, encoding: .utf8)
        return try Settings(folder: folder.path, environment: environment, profile: profile)
    }

    @Test func everyOptionIsASetting() throws {
        let names = Set(SettingsTable().names)
        #expect(names.isSuperset(of: ["limit", "param", "exec", "directory", "sidecar", "proxy", "jobs", "offline"]))
        #expect(names.isDisjoint(with: ["resume", "dry-run", "help", "profile", "provider-option"]))
        #expect(names.isSuperset(of: SettingsTable.perProvider) && names.isSuperset(of: SettingsTable.objects))
        for name in SettingsTable.exclusive.flatMap(\.self) where !["dry-run", "range"].contains(name) {
            #expect(names.contains(name))
        }
        for (name, companion) in SettingsTable.companions {
            #expect(names.contains(name) && SettingsTable().fault(of: name, name == "raw" ? ["true"] : ["1GB"]) == nil)
            #expect(names.contains(String(companion.dropFirst(2).prefix { $0 != "=" })))
        }
    }

    @Test func nearerOnesGoFirst() throws {
        let text = """
            {"limit": 10, "timeout": 5, "retries": 1,
             "providers": {"loop": {"limit": 20, "timeout": 6}},
             "profiles": {"work": {"timeout": 7, "providers": {"loop": {"retries": 2}}}}}
            """
        let settings = try read(text, environment: ["IMGSCRIPT_RETRIES": "9"], profile: "work")
        let (all, loop) = (settings.values(), settings.values(for: "loop"))
        #expect(all["limit"] == .init(texts: ["10"], origin: .file(line: 1)))
        #expect(all["timeout"] == .init(texts: ["7"], origin: .profile("work", line: 3)))
        #expect(all["retries"] == .init(texts: ["9"], origin: .environment("IMGSCRIPT_RETRIES")))
        #expect(loop["limit"] == .init(texts: ["20"], origin: .file(line: 2)))
        #expect(loop["timeout"]?.texts == ["7"] && loop["retries"]?.texts == ["9"])
        #expect(try read(text).values(for: "loop")["timeout"]?.texts == ["6"])
    }

    @Test func valueTakesAwayWhatItExcludes() throws {
        let settings = try read(#"{"width": 800, "profiles": {"big": {"size": "original"}}}"#, profile: "big")
        #expect(settings.values()["width"] == nil && settings.values()["size"]?.texts == ["original"])
    }

    @Test(arguments: [
        ("[", "invalid JSON: expected a value at line 1, column 2"), ("[]", "found array (expected one JSON object)"),
        ("{\n bad", "invalid JSON: expected a member's name at line 2, column 2"),
        ("{\n\"timeout\": 0}", "line 2: timeout: invalid value \"0\" (expected a number from 0.1 to 3600)"),
        (#"{"retries": -1}"#, "line 1: retries: invalid value \"-1\" (expected a whole number from 0 to 100)"),
        (
            #"{"name": "{x", "profiles": {"a": {"name": "{id}"}}}"#,
            "line 1: name: invalid name template \"{x\": has a \"{\" without \"}\""
        ),
        (#"{"limit": [1, 2]}"#, "line 1: limit: found 2 values (expected one n)"),
        (#"{"quiet": "yes"}"#, "line 1: quiet: found \"yes\" (expected true or false)"),
        (#"{"limit": {"a": 1}}"#, "line 1: limit: found object (expected text, a number, true or false)"),
        (#"{"limit": 1, "limit": 2}"#, "line 1: limit: given twice"),
        (#"{"contact": "a b"}"#, "line 1: contact: invalid value \"a b\" (expected an e-mail address or URL)"),
        (
            #"{"provider": {"met": {}}}"#, "line 1: unknown setting \"provider\"; did you mean \"default-provider\"?"
        ),
        (#"{"default-provider": []}"#, "line 1: default-provider: found an empty list (expected name)"),
        (#"{"group": ["met"]}"#, "line 1: group: found array (expected an object of values by their names)"),
        (
            #"{"group": {"a": ["Met"]}}"#,
            "line 1: group.a: invalid value \"a=Met\" (expected names of providers, such as \"met\", @groups or \"all\")"
        ),
        (#"{"alow-host": ["a"]}"#, "line 1: unknown setting \"alow-host\"; did you mean \"allow-host\"?"),
        (#"{"profile": "none"}"#, "unknown profile \"none\": it has no profiles"),
        (
            "{\"profiles\": {\"work\": {\"providers\": {\"met\": {\n\"limits\": 3}}}}}",
            "line 2: profiles.work.providers.met.limits: unknown setting \"limits\"; did you mean \"limit\"?"
        ),
        (
            #"{"providers": {"Met": {}}}"#,
            "line 1: providers.Met: invalid provider name (expected letters, digits and dashes)"
        ),
        (#"{"providers": {"met": 5}}"#, "line 1: providers.met: found number (expected settings by their names)"),
    ])
    func whatCannotBeUsedIsNamedWithItsPlace(text: String, reason: String) throws {
        let error = #expect(throws: ConfigurationError.self) { try read(text) }
        #expect(error?.description == "could not use \(folder.path)/config.json: \(reason)")
    }

    @Test func variableThatCannotBeUsedIsNamed() throws {
        let error = #expect(throws: ConfigurationError.self) {
            try read("{}", environment: ["IMGSCRIPT_LIMIT": "many"])
        }
        let reason = "invalid value \"many\" (expected a whole number from 1 to 1000000000)"
        #expect(error?.description == "could not use IMGSCRIPT_LIMIT: \(reason)")
    }

    /// People edit it, so that a changed byte may be meant; what is read is at least a value of its option.
    @Test func damagedFileIsReadOrRefused() throws {
        let text =
            #"{"allow-host": ["nas.local:8080"], "timeout": 9, "retries": 3, "providers": {"met": {"limit": 5}}}"#
        var generator = SeededGenerator(seed: 29)
        var refused = 0
        // Each value is parsed as its option: few rounds take as long as many elsewhere.
        let rounds = 40
        for round in 0..<rounds {
            let bytes = Damage.change(Array(text.utf8), using: &generator)
            try Data(bytes).write(to: URL(filePath: folder.path + "/config.json"))
            do {
                let settings = try Settings(folder: folder.path, environment: [:], profile: nil)
                for (key, value) in settings.values() {
                    #expect(settings.table.fault(of: key, value.texts) == nil, "round \(round)")
                }
            } catch { refused += 1 }
        }
        #expect(refused > rounds / 3)
    }
}

@Suite("A command line has the settings in it")
struct SettingsArgumentsTests {
    private let folder = TemporaryFolder()

    private func arguments(_ line: String, _ text: String) throws -> String {
        try text.write(toFile: folder.path + "/config.json", atomically: true, encoding: .utf8)
        let settings = try Settings(folder: folder.path, environment: [:], profile: nil)
        let given = try #require(
            SettingsArguments(line.split(separator: " ").map(String.init), of: ImgScriptCommand.self))
        return given.arguments(with: settings).joined(separator: " ")
    }

    /// The same without what tells commands which options are settings.
    private func options(_ line: String, _ text: String) throws -> String {
        try arguments(line, text).split(separator: " ").filter { !$0.hasPrefix("--from-settings=") }
            .joined(separator: " ")
    }

    @Test(arguments: [
        ("search x", #"{"limit": 5}"#, "search --limit=5 --from-settings=limit x"),
        ("search x -n 7", #"{"limit": 5}"#, "search x -n 7"),
        ("search x --param a=1", #"{"param": {"b": "2"}}"#, "search --param=b=2 x --param a=1"),
        (
            "search x -p met -p loc", #"{"providers": {"met": {"limit": 5}}}"#,
            "search --provider-option=met:limit=5 --from-settings=provider-option:met x -p met -p loc"
        ),
    ])
    func commandsAreToldWhatTheSettingsGave(_ line: String, _ text: String, _ expected: String) throws {
        #expect(try arguments(line, text) == expected)
    }

    @Test(arguments: [
        ("search x", #"{"limit": 5, "jobs": 3}"#, "search --limit=5 x"),
        ("search x -n 7", #"{"limit": 5}"#, "search x -n 7"), ("search x -n7", #"{"limit": 5}"#, "search x -n7"),
        ("search --limit=7 x", #"{"limit": 5}"#, "search --limit=7 x"),
        ("search x -- --limit", #"{"limit": 5}"#, "search --limit=5 x -- --limit"),
        ("search x --quiet=false", #"{"quiet": true}"#, "search x"),
        ("search x", #"{"quiet": true}"#, "search --quiet x"),
        ("search x --verbose", #"{"quiet": true}"#, "search x --verbose"),
        ("download x --width 9", #"{"size": "large"}"#, "download x --width 9"),
        ("search x", #"{"raw": true}"#, "search x"),
        ("search x", #"{"raw": true, "format": "csv"}"#, "search --format=csv --raw x"),
        (
            "search x --param a=1", #"{"param": {"a": 2, "b": "c d"}}"#, "search --param=b=c d x --param a=1"
        ),
        ("search x --allow-host a", #"{"allow-host": "b"}"#, "search --allow-host=b x --allow-host a"),
        ("search x", #"{"default-provider": ["met", "@m"]}"#, "search --default-provider=met --default-provider=@m x"),
        ("search x", #"{"group": {"m": ["met", "loc"]}}"#, "search --group=m=met,loc x"),
        ("cache list", #"{"limit": 5, "offline": true}"#, "cache list --offline"),
        ("providers", #"{"offline": true}"#, "providers --offline"),
        (
            "search x -p met", #"{"limit": 9, "providers": {"met": {"limit": 5, "format": "urls"}}}"#,
            "search --format=urls --limit=5 x -p met"
        ),
        ("show met:1", #"{"providers": {"met": {"timeout": 5}}}"#, "show --timeout=5 met:1"),
        (
            "search x", #"{"default-provider": "met", "providers": {"met": {"limit": 5}}}"#,
            "search --default-provider=met --limit=5 x"
        ),
        (
            "search x -p met -p loc", #"{"limit": 9, "providers": {"met": {"limit": 5, "format": "urls"}}}"#,
            "search --limit=9 --provider-option=met:limit=5 x -p met -p loc"
        ),
        ("search x -p met -p loc -n 3", #"{"providers": {"met": {"limit": 5}}}"#, "search x -p met -p loc -n 3"),
        ("search x -p met", #"{"providers": {"loc": {"limit": 5}}}"#, "search x -p met"),
        ("search x", #"{"providers": {"loc": {"limit": 5}}}"#, "search --provider-option=loc:limit=5 x"),
        ("search x -p @m", #"{"providers": {"loc": {"limit": 5}}}"#, "search --provider-option=loc:limit=5 x -p @m"),
        (
            "download x -p met", #"{"providers": {"loc": {"limit": 5}}}"#,
            "download --provider-option=loc:limit=5 x -p met"
        ),
    ])
    func settingsStandInFrontOfOptions(_ line: String, _ text: String, _ expected: String) throws {
        #expect(try options(line, text) == expected)
    }
}

@Suite("A change keeps what it does not know")
struct SettingsDocumentTests {
    private let folder = TemporaryFolder()
    private var path: String { "\(folder.path)/config.json" }

    @Test func unknownContentStays() throws {
        try #"{"mine": {"a": [1.50, null]}, "limit": 5}"#.write(toFile: path, atomically: true, encoding: .utf8)
        var document = try SettingsDocument(path: path)
        document.set(.text("safe"), at: SettingsDocument.path(of: "providers.danbooru.param.rating.s"))
        document.set(nil, at: ["limit"])
        try document.write()
        let text = try String(contentsOfFile: path, encoding: .utf8).filter { !$0.isWhitespace }
        #expect(
            text == #"{"mine":{"a":[1.50,null]},"providers":{"danbooru":{"param":{"rating.s":"safe"}}}}"#)
        document.set(nil, at: SettingsDocument.path(of: "providers.danbooru.param.rating.s"))
        #expect(document.root["providers"] == nil)
    }

    @Test func newFileIsTheUsersAlone() throws {
        var document = try SettingsDocument(path: path)
        document.set(.number("5"), at: ["limit"])
        try document.write()
        func mode() throws -> Int {
            try #require(FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int)
        }
        #expect(try mode() == 0o600)
        try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: path)
        try document.write()
        #expect(try mode() == 0o644)
    }

    @Test func linkedFileStaysALink() throws {
        let target = "\(folder.path)/dotfiles.json"
        try "{}".write(toFile: target, atomically: true, encoding: .utf8)
        try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: target)
        var document = try SettingsDocument(path: path)
        document.set(.number("5"), at: ["limit"])
        try document.write()
        #expect(try String(contentsOfFile: target, encoding: .utf8) == "{\n  \"limit\": 5\n}\n")
        #expect(try FileManager.default.destinationOfSymbolicLink(atPath: path) == target)
    }
}
