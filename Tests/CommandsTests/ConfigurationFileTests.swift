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

    @Test func noFileIsNoSettings() throws {
        #expect(try ConfigurationFile(folder: folder.path).allowHosts == nil)
        #expect(try read("{}").scriptTimeout == nil)
    }

    @Test(arguments: [
        ("", "it is no JSON: expected a value at byte 0"), ("[]", "expected one JSON object"),
        ("{bad", "it is no JSON: expected a member's name at byte 1"),
        (#"{"scriptTimeout": 1e400}"#, "scriptTimeout: expected a number of seconds"),
        (#"{"scriptMemory": 64.5}"#, "scriptMemory: expected a whole number of megabytes"),
        (#"{"scriptMemory": 99999999999999999999}"#, "scriptMemory: expected a whole number of megabytes"),
        (#"{"allowHosts": 5}"#, "allowHosts: expected a list of hosts"),
        (#"{"allowHosts": ["a", 5]}"#, "allowHosts: expected a list of hosts"),
        (#"{"scriptTimeout": "2"}"#, "scriptTimeout: expected a number of seconds"),
        (#"{"scriptTimeout": -1}"#, "scriptTimeout is -1.0, expected 0.01 to 600 seconds"),
        (#"{"scriptMemory": 1}"#, "scriptMemory is 1, expected 32 to 65536 megabytes"),
        (
            #"{"alowHosts": ["a"]}"#,
            "“alowHosts” is no setting; there are allowHosts, caFile, scriptTimeout, scriptMemory"
        ),
    ])
    func whatCannotBeUsedIsNamed(text: String, reason: String) throws {
        let error = #expect(throws: ConfigurationError.self) { try read(text) }
        #expect(error?.description == "\(folder.path)/config.json cannot be used: \(reason)")
    }
}
