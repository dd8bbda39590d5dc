import Foundation
import ProviderModel
import TestSupport
import Testing

@testable import Packs

/// Archives made to do harm, each with the one sentence that it ends in.
struct HostileArchive: CustomTestStringConvertible, Sendable {
    let testDescription: String
    let archive: [UInt8]
    /// What the error has in it.
    let message: String
    var code = PackError.Code.archive
    var expectation = PackExpectation.anything

    /// A valid pack with something added.
    static func adding(_ name: String, _ message: String, _ add: (inout MadeTar) -> Void) -> HostileArchive {
        var tar = MadeTar.pack()
        add(&tar)
        return HostileArchive(testDescription: name, archive: tar.archive, message: message)
    }

    static let all: [HostileArchive] = names + kinds + sizes + damages + lies

    private static let names = [
        adding("a name with ..", "\"package/../../evil.js\" leads out of the pack with \"..\"") {
            $0.add("package/../../evil.js", "x")
        },
        adding("an absolute name", "\"/tmp/evil.js\" is absolute") { $0.add("/tmp/evil.js", "x") },
        adding("an absolute name in an extended header", "\"/etc/cron.d/evil\" is absolute") {
            $0.addExtended("25 path=/etc/cron.d/evil\n", name: "package/a", "x")
        },
        adding("a backslash", "\"package/..\\evil.js\" has a \"\\\"") { $0.add("package/..\\evil.js", "x") },
        adding("a name twice", "\"package/dogs.js\" occurs twice") { $0.add("package/dogs.js", "x") },
        adding(
            "names that differ in case", "differs from \"package/dogs.js\" only in upper and lower case or Unicode form"
        ) {
            $0.add("package/Dogs.js", "x")
        },
        adding(
            "folders that differ in case", "differs from \"package/Lib\" only in upper and lower case or Unicode form"
        ) {
            $0.add("package/Lib/a.js", "x")
            $0.add("package/lib/b.js", "x")
        },
        adding("names that differ in their accents' form", "only in upper and lower case or Unicode form") {
            $0.add("package/caf\u{e9}.js", "x")
            $0.add("package/cafe\u{301}.js", "x")
        },
        adding("a file that is a folder too", "\"package/dogs.js/x.js\" is a file and a folder") {
            $0.add("package/dogs.js/x.js", "x")
        },
        adding("a name that is not UTF-8", "is not UTF-8") { $0.add(Array("package/a".utf8) + [0xff, 0xfe], "x") },
        adding("a name with a line feed", "has invisible characters") { $0.add("package/a\nb.js", "x") },
        adding("a name that reads backwards", "\"package/a\u{FFFD}sj.b\" has invisible characters") {
            $0.add("package/a\u{202e}sj.b", "x")
        },
        adding("a second outermost folder", "\"other/a.js\" is outside of \"package\"") { $0.add("other/a.js", "x") },
        adding("a file outside of a folder", "is outside of \"package\"") { $0.add("evil.js", "x") },
        adding("folders without end", "is more than 32 folders deep") {
            let name = "package" + String(repeating: "/a", count: 40)
            $0.addExtended("\(name.utf8.count + 9) path=\(name)\n", name: "package/a", "x")
        },
    ]

    private static let kinds = [
        adding("a symbolic link", "\"package/link\" is a symbolic link") {
            $0.add("package/link", type: "2", link: "/etc/passwd")
        },
        adding("a link that is then written through", "\"package/out\" is a symbolic link") {
            $0.add("package/out", type: "2", link: "/tmp")
            $0.add("package/out/evil.js", "x")
        },
        adding("a hard link", "\"package/link\" is a hard link") {
            $0.add("package/link", type: "1", link: "/etc/passwd")
        },
        adding("a hard link to one of its own", "\"package/link\" is a hard link") {
            $0.add("package/link", type: "1", link: "package/dogs.js")
        },
        adding("a device", "\"package/null\" is a device, a pipe or a socket") { $0.add("package/null", type: "3") },
        adding("a block device", "is a device, a pipe or a socket") { $0.add("package/disk", type: "4") },
        adding("a pipe", "\"package/pipe\" is a device, a pipe or a socket") { $0.add("package/pipe", type: "6") },
    ]

    private static var sizes: [HostileArchive] {
        var many = MadeTar.pack()
        for index in 0..<10_000 { many.add("package/\(index)") }
        return [
            HostileArchive(
                testDescription: "expansion to 200 MB",
                archive: MadeTar.compressed(Array(repeating: 0, count: 200_000_000)),
                message: "the archive unpacks to more than the maximum of 128 MiB", code: .tooLarge),
            HostileArchive(
                testDescription: "too many files", archive: many.archive,
                message: "the archive has more than the maximum of 10000 files", code: .tooLarge),
        ]
    }

    private static var damages: [HostileArchive] {
        let good = MadeTar.pack().archive
        var flipped = good
        flipped[good.count - 6] ^= 1
        var sum = MadeTar.pack()
        sum.add("package/a.js", "x", checksum: 1)
        var huge = MadeTar.pack()
        huge.add("package/huge", announced: 0o77777777777)
        var cut = MadeTar.pack()
        cut.add("package/cut.js", "x", announced: 5_000)
        return [
            HostileArchive(testDescription: "no gzip", archive: MadeTar.pack().tar, message: "not a gzip file"),
            HostileArchive(testDescription: "nothing", archive: [], message: "not a gzip file"),
            HostileArchive(
                testDescription: "no tar", archive: MadeTar.compressed(Array("hello, this is no archive at all".utf8)),
                message: "tar archive"),
            HostileArchive(
                testDescription: "an empty gzip file", archive: MadeTar.compressed([]),
                message: "tar archive"),
            HostileArchive(
                testDescription: "cut off", archive: Array(good.dropLast(40)), message: "the archive is truncated"
            ),
            HostileArchive(
                testDescription: "cut off in its check sum", archive: Array(good.dropLast(3)),
                message: "the archive is truncated"),
            HostileArchive(testDescription: "a wrong check sum", archive: flipped, message: "incorrect data check"),
            HostileArchive(
                testDescription: "something behind it", archive: good + Array("x".utf8),
                message: "a byte follows the end of the archive"),
            HostileArchive(
                testDescription: "a second archive behind it", archive: good + good,
                message: "\(good.count) bytes follow the end of the archive"),
            HostileArchive(
                testDescription: "something behind the tar archive",
                archive: MadeTar.compressed(MadeTar.pack().tar + Array(repeating: 7, count: 512)),
                message: "data follows the end of the tar archive"),
            HostileArchive(
                testDescription: "no end mark", archive: MadeTar.compressed(MadeTar.pack().unended),
                message: "the tar archive ends without an end mark"),
            HostileArchive(
                testDescription: "a wrong sum in a tar header", archive: sum.archive,
                message: "could not read the tar archive"),
            HostileArchive(
                testDescription: "8 GiB announced", archive: huge.archive, message: "more than the maximum of 16 MiB",
                code: .tooLarge),
            HostileArchive(
                testDescription: "a file longer than the archive", archive: cut.archive,
                message: "could not read the tar archive"),
        ]
    }

    private static var lies: [HostileArchive] {
        let good = MadeTar.pack().archive
        var without = MadeTar()
        without.add("package/dogs.js", MadePack.provider)
        var lacking = MadeTar()
        lacking.add("package/package.json", MadePack.manifest)
        return [
            HostileArchive(
                testDescription: "another name", archive: good,
                message: "has the name @example/dogs (expected cats)", code: .identity,
                expectation: PackExpectation(name: try? PackName("cats"))),
            HostileArchive(
                testDescription: "another version", archive: good, message: "has 1.2.3 (expected 1.2.4)",
                code: .identity, expectation: PackExpectation(version: SemanticVersion("1.2.4"))),
            HostileArchive(
                testDescription: "another archive", archive: good, message: "wrong archive",
                code: .integrity, expectation: PackExpectation(integrity: PackIntegrity(of: Data("x".utf8)))),
            HostileArchive(
                testDescription: "no package.json", archive: without.archive,
                message: "has no package.json in its outermost folder"),
            HostileArchive(
                testDescription: "a provider that is not there", archive: lacking.archive,
                message: "lists dogs.js, which is not in the archive", code: .manifest),
        ]
    }
}

@Suite("Hostile archives end in one sentence and leave nothing")
struct HostileArchiveTests {
    @Test(arguments: HostileArchive.all)
    func isRefused(hostile: HostileArchive) throws {
        let folder = TemporaryFolder()
        let inside = "\(folder.path)/packs"
        try FileManager.default.createDirectory(atPath: inside, withIntermediateDirectories: false)
        #expect {
            try PackArchive(hostile.archive).unpack(into: "\(inside)/new", expecting: hostile.expectation)
        } throws: { error in
            let error = error as? PackError
            #expect(error?.message.contains(hostile.message) == true, "\(error?.message ?? "")")
            return error?.code == hostile.code
        }
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["packs"])
        #expect(try FileManager.default.contentsOfDirectory(atPath: inside) == [])
    }

    @Test func everyCutOfAnArchiveIsRefusedWithWhatToDo() throws {
        let folder = TemporaryFolder()
        let good = MadeTar.pack().archive
        for count in 0..<good.count {
            let error = #expect(throws: PackError.self, "\(count) of \(good.count) bytes") {
                try PackArchive(Array(good[..<count])).unpack(into: "\(folder.path)/new")
            }
            #expect(error?.hint != nil, "\(error?.message ?? "")")
        }
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == [])
    }

    @Test func anArchiveWithAnyBitFlippedIsRefusedOrUnpacksToTheSame() throws {
        let folder = TemporaryFolder()
        let good = MadeTar.pack().archive
        var accepted = 0
        for index in good.indices {
            var flipped = good
            flipped[index] ^= 1 << (index % 8)
            // What is accepted is looked at below; what is refused, is.
            guard let pack = try? PackArchive(flipped).unpack(into: "\(folder.path)/\(index)") else { continue }
            accepted += 1
            #expect(try String(contentsOfFile: "\(pack.folder)/dogs.js", encoding: .utf8) == MadePack.provider)
        }
        // Time, system and flags of the gzip header say nothing about the content.
        #expect(accepted <= 8)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).count == accepted)
    }
}
