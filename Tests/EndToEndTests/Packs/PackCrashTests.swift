import Foundation
import Glibc
import Packs
import ProviderRuntime
import TestSupport
import Testing

/// Processes that are killed, and processes that meet.
struct PackCrashTests {
    /// A home with 1.0.0 installed, after 1.1.0 was: either may follow.
    private func makeShop() throws -> (PackWorkshop, one: String, two: String) {
        let shop = try PackWorkshop()
        let (one, two) = (try shop.makeArchive(), try shop.makeArchive(version: "1.1.0"))
        #expect(try shop.run("pack", "install", "-y", two).status == 0)
        #expect(try shop.run("pack", "install", "-y", "--accept", "downgrade", one).status == 0)
        return (shop, one, two)
    }

    /// The version in use, after a look at whether all of it is there.
    private func versionInUse(_ shop: PackWorkshop) throws -> String {
        let store = PackStore(folder: shop.home + "/.local/share/imgscript/packs")
        let pack = try #require(try store.lockfile(at: shop.lockfile).packs["@anna/boards"])
        #expect(store.holds(pack, named: "@anna/boards"))
        let folder = store.path(of: pack, named: "@anna/boards")
        let text = String(decoding: FolderListing.bytes(of: folder + "/providers/boards.js"), as: UTF8.self)
        #expect(text.contains("version: '\(pack.version)'"))
        #expect(FolderListing.allFiles(under: folder).count == 6)
        #expect(try store.former(of: "@anna/boards", in: shop.lockfile) != nil, "the way back is kept")
        return pack.version
    }

    private func start(_ shop: PackWorkshop, _ arguments: [String]) throws -> Process {
        let process = Process()
        process.executableURL = URL(filePath: BuiltExecutable.path(of: "imgscript"))
        process.arguments = ["pack"] + arguments
        process.currentDirectoryURL = URL(filePath: shop.bench)
        process.environment = ["HOME": shop.home, "PATH": "/usr/bin:/bin"]
        for output in [\Process.standardOutput, \Process.standardError] {
            process[keyPath: output] = FileHandle.nullDevice
        }
        process.standardInput = FileHandle.nullDevice
        try process.run()
        return process
    }

    @Test func killedAtAnyMomentTheFormerStateOrTheNewOneStands() throws {
        let (shop, one, two) = try makeShop()
        let clock = ContinuousClock()
        let whole = try clock.measure { try start(shop, ["rollback", "@anna/boards"]).waitUntilExit() }
        var generator = SeededGenerator(seed: 7)
        var seen: Set<String> = []
        for round in 0..<40 {
            let current = try versionInUse(shop)
            seen.insert(current)
            let isInstallation = round % 4 == 0
            let file = current == "1.0.0" ? two : one
            let arguments =
                isInstallation
                ? ["install", "-y", "--accept", "downgrade", "--accept", "tests", file] : ["rollback", "@anna/boards"]
            let process = try start(shop, arguments)
            // The moment is what is tried: spread over as long as the whole takes, and some.
            let share = Double.random(in: 0...1.2, using: &generator) * (isInstallation ? 4 : 1)
            // Some come to their end, however slow the machine has become since.
            if round % 10 != 9 {
                usleep(UInt32(share * (whole / .microseconds(1))))
                kill(process.processIdentifier, SIGKILL)
            }
            process.waitUntilExit()
        }
        _ = try versionInUse(shop)
        #expect(seen.count == 2, "some got through")
        #expect(try shop.run("pack", "install", "-y", "--accept", "downgrade", two).status == 0)
        #expect(try versionInUse(shop) == "1.1.0")
    }

    @Test func processesAtTheSameTimeDoNotBreakOneAnother() throws {
        let (shop, _, _) = try makeShop()
        let others = try (0..<4).map { try shop.makeArchive("other-\($0)", as: "other-\($0).tgz") }
        for (index, path) in others.enumerated() {
            // A provider of its own each, so that they can stand side by side.
            let folder = try shop.makePack("other-\(index)", in: "other-\(index)")
            for file in ["boards.js", "boards.test.js"] {
                try? FileManager.default.moveItem(
                    atPath: "\(folder)/providers/\(file)",
                    toPath: "\(folder)/providers/\(file.replacing("boards", with: "b\(index)"))")
            }
            try shop.edit("\(folder)/package.json") {
                $0.replacing("providers/boards.js", with: "providers/b\(index).js")
            }
            try shop.edit("\(folder)/providers/b\(index).js") { $0.replacing("id: 'boards'", with: "id: 'b\(index)'") }
            try PackBuild.build(folder: folder).write(to: path)
        }
        let processes = try others.map { try start(shop, ["install", "-y", $0]) }
        let rollback = try start(shop, ["rollback", "@anna/boards"])
        for process in processes + [rollback] {
            process.waitUntilExit()
            #expect(process.terminationStatus == 0)
        }
        let packs = try PackStore(folder: shop.home).lockfile(at: shop.lockfile).packs
        #expect(packs.keys.sorted() == ["@anna/boards", "other-0", "other-1", "other-2", "other-3"])
        #expect(try versionInUse(shop) == "1.1.0")
    }

    @Test func whatAKilledInstallationLeftGoesWithTheNext() throws {
        let (shop, one, _) = try makeShop()
        let left = shop.home + "/.local/share/imgscript/packs/unfinished/install-gone"
        try FileManager.default.createDirectory(atPath: left + "/pack", withIntermediateDirectories: true)
        var times = [timespec(tv_sec: 1, tv_nsec: 0), timespec(tv_sec: 1, tv_nsec: 0)]
        #expect(utimensat(AT_FDCWD, left, &times, 0) == 0)
        FolderListing.write("", to: left + ".tgz")
        #expect(utimensat(AT_FDCWD, left + ".tgz", &times, 0) == 0)
        #expect(try shop.run("pack", "install", "-y", one).status == 0)
        #expect(FolderListing.names(in: shop.home + "/.local/share/imgscript/packs/unfinished").isEmpty)
    }
}
