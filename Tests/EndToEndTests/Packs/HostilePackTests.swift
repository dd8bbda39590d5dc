import Foundation
import TestSupport
import Testing

/// Archives made to do harm, through the command line.
struct HostilePackTests {
    /// An archive with something added to a good pack, and what is said of it.
    struct Hostile: CustomTestStringConvertible {
        let name: String
        let entries: [TarFile.Entry]
        let sentence: String
        var testDescription: String { name }
    }

    static let all = [
        Hostile(name: "..", entries: [.file("package/../../evil.js")], sentence: "leads out of the pack"),
        Hostile(name: "absolute", entries: [.file("/tmp/imgscript-evil.js")], sentence: "is absolute"),
        Hostile(
            name: "symbolic link", entries: [.link("package/out", to: "/etc", kind: "2")],
            sentence: "is a symbolic link"),
        Hostile(
            name: "hard link", entries: [.link("package/out", to: "/etc/passwd", kind: "1")], sentence: "is a hard link"
        ),
        Hostile(
            name: "link, then write through it",
            entries: [.link("package/out", to: "/tmp", kind: "2"), .file("package/out/imgscript-evil.js")],
            sentence: "is a symbolic link"),
        Hostile(name: "device", entries: [.link("package/null", to: "", kind: "3")], sentence: "is a device"),
        Hostile(
            name: "pipe", entries: [.link("package/pipe", to: "", kind: "6")],
            sentence: "is a device, a pipe or a socket"),
        Hostile(name: "twice", entries: [.file("package/README.md")], sentence: "occurs twice"),
        Hostile(name: "case", entries: [.file("package/readme.MD")], sentence: "only in upper and lower case"),
        Hostile(name: "not UTF-8", entries: [.file("package/caf\u{e9}.js", isLatin: true)], sentence: "is not UTF-8"),
        Hostile(
            name: "oversized", entries: [.file("package/big", String(repeating: "x", count: 17 << 20))],
            sentence: "more than the maximum of 16 MiB"),
        Hostile(
            name: "expansion",
            entries: (0..<9).map { .file("package/big\($0)", String(repeating: "x", count: 15 << 20)) },
            sentence: "unpacks to more than the maximum of 128 MiB"),
        Hostile(
            name: "entries", entries: (0...10_000).map { .file("package/\($0)") },
            sentence: "more than the maximum of 10000 files"),
    ]

    @Test(arguments: all) func hostileArchiveIsRefusedAndLeavesNothing(hostile: Hostile) throws {
        let shop = try PackWorkshop()
        let good = try TarFile(folder: shop.makePack(), under: "package")
        let tar = TarFile(entries: good.entries + hostile.entries)
        try Data(tar.bytes).write(to: URL(filePath: shop.bench + "/pack.tar"))
        #expect(try shop.run(program: "/bin/gzip", ["-n", "-1", "pack.tar"]) != nil)
        try FileManager.default.moveItem(atPath: shop.bench + "/pack.tar.gz", toPath: shop.bench + "/pack.tgz")
        let run = try shop.run("pack", "install", "--yes", "pack.tgz")
        #expect(run.status == 1)
        #expect(run.errors.contains(hostile.sentence), "\(run.errors)")
        #expect(run.errors.split(separator: "\n").count <= 2, "\(run.errors)")
        #expect(shop.lock.isEmpty && shop.versions.isEmpty)
        #expect(FolderListing.allFiles(under: shop.home).filter { !$0.hasSuffix(".lock") } == [])
        #expect(!FileManager.default.fileExists(atPath: "/tmp/imgscript-evil.js"))
        #expect(FolderListing.names(in: shop.bench) == ["boards", "pack.tgz"])
    }

    @Test func installScriptsAreNeverRunAndDependenciesNotInstalled() throws {
        let shop = try PackWorkshop()
        let path = try shop.makePack()
        let mark = shop.bench + "/ran"
        try shop.edit(path + "/package.json") {
            $0.replacing(
                "\"license\"",
                with:
                    "\"scripts\": { \"postinstall\": \"touch \(mark)\" }, \"dependencies\": { \"left-pad\": \"^1.0.0\" }, \"license\""
            )
        }
        let run = try shop.run("pack", "install", "-y", "./boards")
        #expect(run.status == 0, "\(run.errors)")
        #expect(run.errors.contains("postinstall") && run.errors.contains("left-pad ^1.0.0"))
        #expect(!FileManager.default.fileExists(atPath: mark))
    }
}
