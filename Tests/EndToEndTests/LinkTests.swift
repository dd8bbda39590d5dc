import Foundation
import TestSupport
import Testing

/// Links that lie where the program's own files belong: nothing is written through them, and each is named.
struct LinkTests {
    private let home = TemporaryFolder()
    /// Where the links lead.
    private let elsewhere = TemporaryFolder()

    private func link(_ path: String, to name: String = "target") throws {
        let folder = URL(filePath: path).deletingLastPathComponent().path
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: "\(elsewhere.path)/\(name)")
    }

    private func expectRefusal(of path: String, in run: CommandRun) {
        #expect(run.errors.contains("\(path) is a symbolic link, which is not followed (expected a "), "\(run.errors)")
        #expect(run.errors.components(separatedBy: "symbolic link").count == 2, "\(run.errors)")
    }

    @Test(arguments: [
        "archive.sqlite", "archive.sqlite.lock", "archive.sqlite-wal", "archive.sqlite-shm", "archive.sqlite-journal",
        "credits.lock", "failed.jsonl", "runs.lock",
    ])
    func linkInTheFolderOfDownloadsIsRefused(name: String) throws {
        let source = try FoxSource()
        let path = "\(source.target.path)/.imgscript/\(name)"
        try link(path)
        let run = try source.download(["\(source.server.origin)/img/1.jpg", "\(source.server.origin)/none.jpg"])
        expectRefusal(of: path, in: run)
        #expect(FolderListing.allFiles(under: elsewhere.path) == [])
    }

    @Test(arguments: [
        [], ["--credits", "none", "--no-archive"], ["--output-format", "webdataset"], ["--dry-run"], ["--retry-failed"],
    ])
    func linkInPlaceOfTheOwnFolderIsRefused(options: [String]) throws {
        let source = try FoxSource()
        try link("\(source.target.path)/.imgscript", to: "")
        let inputs = options == ["--retry-failed"] ? [] : ["\(source.server.origin)/none.jpg"]
        let run = try source.download(inputs + options)
        expectRefusal(of: "\(source.target.path)/.imgscript", in: run)
        #expect(FolderListing.allFiles(under: elsewhere.path) == [])
    }

    @Test func linkInPlaceOfCreditsIsRefused() throws {
        let source = try FoxSource()
        try link("\(source.target.path)/credits.md")
        let run = try source.download(["foxes:1"])
        expectRefusal(of: "\(source.target.path)/credits.md", in: run)
        #expect(FolderListing.allFiles(under: elsewhere.path) == [])
    }

    @Test func folderThatTheUserNamesMayBeALink() throws {
        let source = try FoxSource()
        let folder = "\(home.path)/pictures"
        try link(folder, to: "")
        let run = try source.run(
            "download", ["-d", folder, "--archive", "\(folder)/all.sqlite", "\(source.server.origin)/img/1.jpg"])
        #expect(run.status == 0, "\(run.errors)")
        try FileManager.default.createSymbolicLink(
            atPath: "\(home.path)/mine.sqlite", withDestinationPath: "\(elsewhere.path)/all.sqlite")
        let again = try source.run(
            "download",
            ["-d", source.target.path, "--archive", "\(home.path)/mine.sqlite", "\(source.server.origin)/img/1.jpg"])
        #expect(
            again.errors.contains("1 existing"), "the archive is found through the user's own link: \(again.errors)")
    }

    @Test(arguments: [
        ".cache/imgscript/cache.sqlite", ".cache/imgscript/cache.sqlite.lock", ".cache/imgscript/cache.key",
        ".cache/imgscript/bodies", ".local/state/imgscript/resume.sqlite", ".local/state/imgscript/resume.sqlite.lock",
        ".local/state/imgscript/limits.sqlite", ".local/state/imgscript/limits.sqlite.lock",
        ".config/imgscript/credentials.json",
    ])
    func linkInPlaceOfAFileOfTheUserIsRefused(name: String) throws {
        let padding = String(repeating: " ", count: 100_000)
        let source = try LoopbackSource { _ in
            .answer(
                headers: [("Cache-Control", "max-age=3600")],
                text: LoopbackSource.page(1...3, total: 3) + padding)
        }
        let limits = "limits: { rate: ['100/1s'], "
        let auth = "auth: { type: 'query', name: 'key', template: '{key}', optional: true },"
        let script = LoopbackSource.provider("loop", port: source.server.port, auth: auth)
        try source.add("loop", script.replacing("limits: { ", with: limits))
        try link("\(home.path)/\(name)", to: name.hasSuffix("bodies") ? "" : "target")
        FolderListing.write("mine", to: "\(elsewhere.path)/mine.part")
        let run = try CommandRun(
            ["search", "-p", "loop", "--resume", "fox"] + source.arguments, environment: ["HOME": home.path])
        expectRefusal(of: "\(home.path)/\(name)", in: run)
        _ = try CommandRun(["cache", "clear"], environment: ["HOME": home.path])
        #expect(FolderListing.allFiles(under: elsewhere.path).map { $0.hasSuffix("/mine.part") } == [true])
    }
}
