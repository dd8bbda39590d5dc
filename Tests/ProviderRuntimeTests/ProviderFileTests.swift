import Foundation
import ProviderModel
import TestSupport
import Testing

@testable import ProviderRuntime

@Suite("A provider's file is read with care")
struct ProviderFileTests {
    private let folder = TemporaryFolder()

    private func file(_ name: String = "made") -> ProviderFile {
        ProviderFile(id: ProviderID(name)!, folder: folder.path)
    }

    private func put(_ bytes: [UInt8], at name: String) throws {
        try Data(bytes).write(to: URL(filePath: "\(folder.path)/\(name)"))
    }

    private func reason(_ read: () throws -> Void) -> String? {
        do {
            try read()
            return nil
        } catch let error as ProviderError {
            return error.message
        } catch let error as ModuleNotFound {
            return error.reason
        } catch {
            return "\(error)"
        }
    }

    @Test func textComesAsItIs() throws {
        try put(Array("// “é”\n".utf8), at: "made.js")
        let source = try file().source()
        #expect(source.file == "made.js")
        #expect(source.text == "// “é”\n")
    }

    @Test(arguments: [("/", "/made.js"), (".", "./made.js"), ("made/", "made/made.js")])
    func pathHasOneSlashBehindItsFolder(folder: String, path: String) throws {
        #expect(ProviderFile(id: try #require(ProviderID("made")), folder: folder).path == path)
    }

    @Test func markOfTheEncodingIsNoPartOfTheText() throws {
        try put([0xEF, 0xBB, 0xBF] + Array("// é\n".utf8), at: "made.js")
        #expect(try file().source().text == "// é\n")
    }

    @Test func missingFileSaysSo() {
        #expect(reason { _ = try file().source() } == "could not read \(file().path): No such file or directory")
    }

    @Test func fileThatIsNotUTF8IsRefused() throws {
        try put([0x2f, 0x2f, 0xff, 0xfe], at: "made.js")
        #expect(reason { _ = try file().source() } == "\(file().path) is not UTF-8 text")
    }

    @Test func fileOfMoreThanAMegabyteIsRefused() throws {
        try put([UInt8](repeating: 0x20, count: 1 << 20), at: "made.js")
        #expect(reason { _ = try file().source() } == nil)
        try put([UInt8](repeating: 0x20, count: 1 << 20 + 1), at: "made.js")
        #expect(
            reason { _ = try file().source() } == "\(file().path) has 1048577 bytes (expected at most 1048576)")
    }

    @Test func endlessFilesAreRefusedWithoutWaiting() throws {
        #expect(mkfifo(file().path, 0o600) == 0)
        #expect(reason { _ = try file().source() } == "\(file().path) is not a file")
        #expect(symlink("/dev/zero", file("zero").path) == 0)
        #expect(reason { _ = try file("zero").source() } == "\(file("zero").path) is not a file")
        try FileManager.default.createDirectory(atPath: file("folder").path, withIntermediateDirectories: false)
        #expect(reason { _ = try file("folder").source() } == "\(file("folder").path) is not a file")
    }

    @Test func moduleInTheFolderIsRead() throws {
        try put([], at: "made.js")
        try put(Array("exports.a = 1".utf8), at: "other.js")
        let source = try file().source()
        #expect(try source.module("other.js") == "exports.a = 1")
        #expect(try source.module("./other.js") == "exports.a = 1")
        #expect(reason { _ = try source.module("none.js") } == "no such file beside the provider: none.js")
    }

    @Test func moduleOutsideIsRefusedByPathAndByLink() throws {
        let outside = TemporaryFolder()
        try "secret".write(toFile: outside.path + "/secret.js", atomically: true, encoding: .utf8)
        try put([], at: "made.js")
        #expect(symlink("\(outside.path)/secret.js", "\(folder.path)/link.js") == 0)
        #expect(symlink(outside.path, "\(folder.path)/linked") == 0)
        let source = try file().source()
        let name = outside.path.split(separator: "/").last!
        for path in ["../\(name)/secret.js", "link.js", "linked/secret.js", "../../../../../../etc/passwd"] {
            #expect(reason { _ = try source.module(path) } == "\(path) leads out of the provider's folder")
        }
        // A folder whose name begins like the provider's own.
        let twin = folder.path + "-twin"
        try FileManager.default.createDirectory(atPath: twin, withIntermediateDirectories: false)
        defer { try? FileManager.default.removeItem(atPath: twin) }  // does no harm when it stays
        try "secret".write(toFile: twin + "/secret.js", atomically: true, encoding: .utf8)
        let path = "../\(twin.split(separator: "/").last!)/secret.js"
        #expect(reason { _ = try source.module(path) } == "\(path) leads out of the provider's folder")
    }

    @Test func providerInALinkedFolderFindsItsModules() throws {
        try put([], at: "made.js")
        try put(Array("1".utf8), at: "other.js")
        let link = TemporaryFolder().path + "-link"
        #expect(symlink(folder.path, link) == 0)
        defer { unlink(link) }
        #expect(try ProviderFile(id: ProviderID("made")!, folder: link).source().module("other.js") == "1")
    }
}
