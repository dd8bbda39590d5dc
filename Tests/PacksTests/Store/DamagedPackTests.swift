import Foundation
import ProviderModel
import TestSupport
import Testing

@testable import Packs
@testable import ProviderRuntime

/// Whatever happens to the files of installed packs, none runs that was not installed, and none has more permissions.
struct DamagedPackTests {
    private let folder = TemporaryFolder()
    private var store: PackStore { PackStore(folder: folder.path + "/packs") }
    private var lockfile: String { folder.path + "/imgscript.lock" }

    /// A pack in the store, installed twice so that it has a history.
    private func installed() throws -> LockedPack {
        var former: LockedPack?
        for version in ["1.2.3", "1.2.4"] {
            let made = try MadePack(manifest: MadePack.manifest.replacing("1.2.3", with: version))
            let archive = try PackArchive(try PackBuild.build(folder: made.path).archive)
            let workspace = try store.workspace()
            let content = try archive.unpack(into: workspace.path + "/pack")
            let permissions = ProviderPermissions(
                hosts: [HostPattern("api.dogs.example")!], mediaHosts: [], credentials: [], methods: [.post],
                needsKey: true)
            let pack = LockedPack(
                version: version, source: "file:/x.tgz", integrity: archive.integrity.description, contract: 1,
                providers: ["dogs": LockedProvider(file: "dogs.js", permissions: permissions)],
                scripts: ["dogs.js": ScriptDigest(of: FolderListing.bytes(of: content.folder + "/dogs.js"))])
            try store.use(pack, named: "@example/dogs", content: content, inPlaceOf: former, in: lockfile)
            former = pack
        }
        return try #require(former)
    }

    @Test func damagedLockfileIsRefused() throws {
        let pack = try installed()
        let whole = FolderListing.bytes(of: lockfile)
        var generator = SeededGenerator(seed: 17)
        var refused = 0
        for round in 0..<Damage.rounds {
            try Data(Damage.change(whole, using: &generator)).write(to: URL(filePath: lockfile))
            do {
                let found = try store.lockfile(at: lockfile)
                #expect(found.packs == ["@example/dogs": pack], "round \(round)")
            } catch is ProviderError { refused += 1 }
        }
        // What is left is white space.
        #expect(refused > Damage.rounds / 2)
    }

    /// Foundation reads UTF-16, in which the checksums of entries are not found.
    @Test func changedLockfileInAnotherEncodingIsRefused() throws {
        _ = try installed()
        let text = try String(contentsOfFile: lockfile, encoding: .utf8).replacing("file:/x.tgz", with: "file:/y.tgz")
        try text.write(toFile: lockfile, atomically: true, encoding: .utf16)
        #expect(throws: ProviderError.self) { try store.lockfile(at: lockfile) }
    }

    @Test func damagedHistoryLosesNoPackThatIsInUse() throws {
        let pack = try installed()
        let path = try #require(FolderListing.allFiles(under: store.folder + "/history").first)
        let former = try #require(try store.former(of: "@example/dogs", in: lockfile))
        let (whole, used) = (FolderListing.bytes(of: path), try PackHistory.used(in: store.folder))
        #expect(used.count == 2)
        var generator = SeededGenerator(seed: 19)
        for round in 0..<Damage.rounds {
            try Data(Damage.change(whole, using: &generator)).write(to: URL(filePath: path))
            do {
                #expect(try store.former(of: "@example/dogs", in: lockfile) == former, "round \(round)")
            } catch is PackError {}
            // Where it cannot be read, everything stays.
            let found = try? PackHistory.used(in: store.folder)
            #expect(found == nil || found == used, "round \(round)")
        }
        #expect(store.holds(pack, named: "@example/dogs"))
    }

    @Test func damagedFileIsNoticedAndNotRun() throws {
        let pack = try installed()
        let path = store.path(of: pack, named: "@example/dogs")
        let provider = try #require(
            InstalledPack("@example/dogs", pack, lockfile: lockfile, packFolder: store.folder)
                .files[ProviderID("dogs")!]?.installed)
        let files = FolderListing.allFiles(under: path) + [path + ".tgz"]
        #expect(files.count == 5)
        var generator = SeededGenerator(seed: 23)
        for round in 0..<Damage.rounds {
            let file = files[Int.random(in: 0..<files.count, using: &generator)]
            let whole = FolderListing.bytes(of: file)
            let bytes = Damage.change(whole, using: &generator)
            try Data(bytes).write(to: URL(filePath: file))
            let condition = store.condition(of: pack, named: "@example/dogs")
            #expect((condition == .intact) == (bytes == whole), "round \(round): \(file)")
            if file.hasSuffix(".js"), bytes != whole {
                #expect(throws: ModuleNotFound.self) { try provider.check(bytes, of: "dogs.js") }
            }
            try Data(whole).write(to: URL(filePath: file))
        }
        #expect(store.condition(of: pack, named: "@example/dogs") == .intact)
    }
}
