import Foundation
import TestSupport
import Testing

@testable import Commands

@Suite("The user's configuration is a file")
struct ConfigurationFileTests {
    private let folder = TemporaryFolder()

    private func read(_ text: String) throws -> ConfigurationFile {
        try text.write(toFile: folder.path + "/config.json", atomically: true, encoding: .utf8)
        return try ConfigurationFile(folder: folder.path)
    }

    @Test func whatItSaysIsRead() throws {
        let file = try read(
            #"{"allowHosts": ["nas.local:8080"], "caFile": "/ca.pem", "scriptTimeout": 3, "scriptMemory": 64}"#)
        #expect(file.allowHosts == ["nas.local:8080"] && file.caFile == "/ca.pem")
        #expect(file.scriptTimeout == 3 && file.scriptMemory == 64)
    }

    @Test func networkSettingsAreRead() throws {
        let file = try read(
            #"{"proxy": "http://p:3128", "contact": "anna@example.com", "connectTimeout": 2.5, "timeout": 9, "retries": 0}"#
        )
        #expect(file.proxy == "http://p:3128" && file.contact == "anna@example.com")
        #expect(file.connectTimeout == 2.5 && file.timeout == 9 && file.retries == 0)
    }

    @Test func noFileIsNoSettings() throws {
        #expect(try ConfigurationFile(folder: folder.path).allowHosts == nil)
        #expect(try read("{}").scriptTimeout == nil)
    }

    @Test(arguments: [
        ("", "invalid JSON: expected a value at byte 0"), ("[]", "expected one JSON object"),
        ("{bad", "invalid JSON: expected a member's name at byte 1"),
        (#"{"scriptTimeout": 1e400}"#, "scriptTimeout: found 1e400 (expected 0.01 to 600 seconds)"),
        (
            #"{"scriptMemory": 64.5}"#,
            "scriptMemory: found 64.5 (expected a whole number of megabytes from 32 to 65536)"
        ),
        (#"{"retries": -1}"#, "retries: found -1 (expected a whole number from 0 to 100)"),
        (#"{"timeout": 0}"#, "timeout: found 0 (expected 0.1 to 3600 seconds)"),
        (
            #"{"contact": "a b"}"#, "contact: found \"a b\" (expected an e-mail address or URL)"
        ),
        (#"{"provider": 5}"#, #"provider: expected names of providers, such as "met", @groups or "all""#),
        (#"{"provider": []}"#, "provider: found an empty list (expected names of providers)"),
        (#"{"groups": ["met"]}"#, "groups: expected an object of lists of providers by the groups' names"),
        (#"{"groups": {"@a": ["met"]}}"#, #"groups: found "@a" (expected a name of a–z, 0–9 and -, without @)"#),
        (
            #"{"groups": {"a": ["Met"]}}"#,
            #"groups.a: expected names of providers, such as "met", @groups or "all""#
        ),
        (#"{"allowHosts": 5}"#, "allowHosts: expected a list of hosts"),
        (#"{"allowHosts": ["a", 5]}"#, "allowHosts: expected a list of hosts"),
        (#"{"scriptTimeout": "2"}"#, "scriptTimeout: expected a number of seconds"),
        (#"{"scriptTimeout": -1}"#, "scriptTimeout: found -1 (expected 0.01 to 600 seconds)"),
        (
            #"{"scriptMemory": 1}"#,
            "scriptMemory: found 1 (expected a whole number of megabytes from 32 to 65536)"
        ),
        (
            #"{"hosts": ["a"]}"#,
            "unknown setting \"hosts\" (expected provider, groups, allowHosts, caFile, proxy, contact, connectTimeout, timeout, retries, "
                + "scriptTimeout, scriptMemory)"
        ),
        (
            #"{"alowHosts": ["a"]}"#,
            "unknown setting \"alowHosts\"; did you mean \"allowHosts\"?"
        ),
    ])
    func whatCannotBeUsedIsNamed(text: String, reason: String) throws {
        let error = #expect(throws: ConfigurationError.self) { try read(text) }
        #expect(error?.description == "could not use \(folder.path)/config.json: \(reason)")
    }

    /// People edit it, so that a changed byte may be meant; what is read is at least within its limits.
    @Test func damagedFileIsReadWithinItsLimitsOrRefused() throws {
        let text =
            #"{"allowHosts": ["nas.local:8080"], "caFile": "/ca.pem", "contact": "a@example.com", "#
            + #""connectTimeout": 2.5, "timeout": 9, "retries": 3, "scriptTimeout": 3, "scriptMemory": 64}"#
        var generator = SeededGenerator(seed: 29)
        var refused = 0
        for round in 0..<Damage.rounds {
            let bytes = Damage.change(Array(text.utf8), using: &generator)
            try Data(bytes).write(to: URL(filePath: folder.path + "/config.json"))
            do {
                let file = try ConfigurationFile(folder: folder.path)
                let timeouts = [file.connectTimeout, file.timeout].compactMap(\.self)
                #expect(timeouts.allSatisfy(NetworkOptions.timeouts.contains), "round \(round)")
                #expect(file.retries.map(NetworkOptions.retryCounts.contains) ?? true, "round \(round)")
                #expect(file.scriptTimeout.map(ScriptOptions.timeouts.contains) ?? true, "round \(round)")
                #expect(file.scriptMemory.map(ScriptOptions.memories.contains) ?? true, "round \(round)")
            } catch { refused += 1 }
        }
        #expect(refused > Damage.rounds / 3)
    }
}
