import Foundation
import ProviderModel
import TestSupport
import Testing

@testable import Packs

struct PackSourceTests {
    @Test(arguments: [
        ("@anna/boards", "registry:@anna/boards@latest"), ("@anna/boards@^1.2", "registry:@anna/boards@^1.2"),
        ("boards@beta", "registry:boards@beta"), ("registry:boards@1.x", "registry:boards@1.x"),
        ("https://anna.example/boards.tgz?v=1", "https://anna.example/boards.tgz?v=1"),
        ("HTTPS://anna.example/boards.tgz", "https://anna.example/boards.tgz"),
        ("https://anna.example/boards.git", "git+https://anna.example/boards.git"),
        ("git+https://anna.example/boards#v1.0.0", "git+https://anna.example/boards#v1.0.0"),
        ("git+ssh://git@anna.example/boards.git", "git+ssh://git@anna.example/boards.git"),
        ("npm:@anna/boards@1", "registry:@anna/boards@1"),
        ("github:anna/boards", "git+https://github.com/anna/boards.git"),
        ("gitlab:anna/boards.git#v1", "git+https://gitlab.com/anna/boards.git#v1"),
        ("https://github.com/anna/boards/", "git+https://github.com/anna/boards.git"),
        ("https://github.com/anna/boards.tgz", "https://github.com/anna/boards.tgz"),
        ("git@anna.example:us/boards.git#main", "git+ssh://git@anna.example/us/boards.git#main"),
    ])
    func sourceIsReadAndWrittenTheSameWay(text: String, description: String) throws {
        let source = try PackSource(text)
        #expect(source.description == description)
        #expect(try PackSource(description) == source)
    }

    @Test(arguments: [
        "https://anna:sesame@anna.example/boards.tgz", "https://anna:sesame@anna.example/boards.git",
        "git+https://anna:sesame@anna.example/boards", "git+ftp://anna:sesame@anna.example/boards.git",
        "git+ssh://anna:sesame@anna.example/b oards.git",
    ])
    func passwordInAnAddressIsNotRepeated(text: String) throws {
        let error = try #require(#expect(throws: PackError.self) { try PackSource(text) })
        #expect(!"\(error)\(String(describing: error.hint))".contains("sesame"), "\(error)")
    }

    @Test(arguments: [
        ("?token=sesame", "?token=***"),
        (
            "?v=1&X-Amz-Signature=sesame&X-Amz-Date=20260101T000000Z",
            "?v=1&X-Amz-Signature=***&X-Amz-Date=20260101T000000Z"
        ),
        ("?downloadToken=sesame&raw=true", "?downloadToken=***&raw=true"), ("?se=2026&sig=a%2Bb", "?se=2026&sig=***"),
        ("?k=c2VzYW1lLW9wZW4tdGhlLWRvb3I1", "?k=***"), ("?c2VzYW1lLW9wZW4tdGhlLWRvb3I1", "?***"),
        ("?ref=4b825dc642cb6eb9a060e54bf8d69288fbee4904&id=7", "?ref=4b825dc642cb6eb9a060e54bf8d69288fbee4904&id=7"),
        ("?file=boards-1.0.0-linux-x86.tgz&monkey=1", "?file=boards-1.0.0-linux-x86.tgz&monkey=1"),
        ("?token=", "?token="),
    ])
    func keyInAnAddressIsNeitherKeptNorShown(query: String, kept: String) throws {
        let source = try PackSource("https://anna.example/boards.tgz\(query)")
        #expect(source.description == "https://anna.example/boards.tgz\(kept)")
        #expect(source.text(for: "imgscript.lock") == source.description)
        #expect(source.unstoredKeys.isEmpty == (query == kept))
        let git = try PackSource("git+https://anna.example/boards.git\(query)#v1")
        #expect(git.description == "git+https://anna.example/boards.git\(kept)#v1")
    }

    @Test func addressOfAnotherKindIsNoPath() {
        let error = #expect(throws: PackError.self) { try PackSource("ftp://anna.example/boards.tgz") }
        #expect(error?.message == "unsupported URL scheme ftp: (expected https, git+https or git+ssh)")
    }

    @Test func pathsBecomeAbsolute() throws {
        let folder = TemporaryFolder()
        let path = folder.path + "/pack.tgz"
        FolderListing.write("", to: path)
        #expect(try PackSource(path).description == "file:\(path)")
        #expect(try PackSource("file:\(folder.path)") == .folder(folder.path))
        #expect(try PackSource(folder.path).isFolder)
    }

    @Test func projectLockfileHasPathsThatLeadFromTheProject() {
        let path = FileManager.default.currentDirectoryPath
        #expect(PackSource.folder(path).text(for: "imgscript.lock") == "file:.")
        #expect(PackSource.folder(path + "/Sources").text(for: "imgscript.lock") == "file:Sources")
        #expect(PackSource.folder(path + "/..").text(for: "Sources/imgscript.lock") == "file:../..")
        #expect(PackSource.folder(path).text(for: "/home/anna/imgscript.lock") == "file:\(path)")
    }

    @Test(arguments: [
        "git+ext::sh -c id", "git+ssh://-oProxyCommand=id/x", "git+https://anna:pw@host.example/x.git",
        "git://host.example/x",
        "git+https://host.example/x.git#--upload-pack=id", "git+https://host.example/x.git#a..b", "No Pack",
        "../nowhere.tgz",
        "https://", "@anna", "", "anna/boards", "github:anna", "github:anna/boards/more",
    ])
    func whatIsNoSourceIsSaidToBeNone(text: String) {
        #expect(throws: PackError.self) { try PackSource(text) }
    }
}
