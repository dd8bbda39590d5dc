import Foundation
import ProviderModel
import ProviderRuntime
import TestSupport
import Testing

@testable import Packs

struct PackStoreTests {
    private let folder = TemporaryFolder()
    private var store: PackStore { PackStore(folder: folder.path + "/packs") }
    private var lockfile: String { folder.path + "/imgscript.lock" }

    private static func archive(_ version: String, provider: String = "boards") throws -> PackArchive {
        try PackArchive(Array("\(version) \(provider)".utf8))
    }

    private static func pack(_ version: String, provider: String = "boards") -> LockedPack {
        let bytes = Array("\(version) \(provider)".utf8)
        return LockedPack(
            version: version, source: "file:/x.tgz", integrity: PackIntegrity(of: bytes).description, contract: 1,
            providers: [provider: LockedProvider(file: "\(provider).js", permissions: ProviderPermissions())])
    }

    private func use(
        _ pack: LockedPack, named name: String = "boards", inPlaceOf former: LockedPack? = nil,
        in lockfile: String? = nil
    )
        throws
    {
        let workspace = try store.workspace()
        try FileManager.default.createDirectory(atPath: workspace.path + "/pack", withIntermediateDirectories: true)
        FolderListing.write(pack.version, to: workspace.path + "/pack/boards.js")
        let content = UnpackedPack(
            archive: try Self.archive(pack.version), folder: workspace.path + "/pack",
            manifest: try PackManifest(parsing: MadePack.manifest.utf8), files: [])
        try store.use(pack, named: name, content: content, inPlaceOf: former, in: lockfile ?? self.lockfile)
    }

    /// Puts a real pack into the store, and says where it lies.
    private func useMadePack() throws -> (pack: LockedPack, folder: String) {
        let made = try MadePack()
        let archive = try PackArchive(try PackBuild.build(folder: made.path).archive)
        withExtendedLifetime(made) {}
        let workspace = try store.workspace()
        let content = try archive.unpack(into: workspace.path + "/pack")
        let pack = LockedPack(
            version: "1.2.3", source: "file:/x.tgz", integrity: archive.integrity.description, contract: 1,
            providers: [:])
        try store.use(pack, named: "dogs", content: content, inPlaceOf: nil, in: lockfile)
        return (pack, store.path(of: pack, named: "dogs"))
    }

    @Test func packIsWholeAsLongAsEveryFileIsTheOneThatWasInstalled() throws {
        let (pack, folder) = try useMadePack()
        #expect(store.condition(of: pack, named: "dogs") == .intact)
        FolderListing.write("// mine", to: folder + "/dogs.js")
        FolderListing.write("// more", to: folder + "/cats.js")
        try FileManager.default.removeItem(atPath: folder + "/README.md")
        #expect(
            store.condition(of: pack, named: "dogs")
                == .changed(["README.md is missing", "dogs.js was changed", "cats.js was added"]))
        try FileManager.default.removeItem(atPath: folder)
        #expect(store.condition(of: pack, named: "dogs") == .missing)
    }

    @Test func keptArchiveThatWasChangedItselfProvesNothing() throws {
        let (pack, folder) = try useMadePack()
        FolderListing.write("another", to: folder + ".tgz")
        #expect(store.condition(of: pack, named: "dogs") == .unknown)
        #expect(store.archive(of: pack, named: "dogs") == nil)
        _ = try store.remove("dogs", from: lockfile)
        #expect(FolderListing.names(in: store.folder + "/store").isEmpty, "the archive goes with the pack")
    }

    @Test(arguments: [
        "packs/lock", "packs/unfinished", "packs/store", "packs/store/boards", "packs/history", "imgscript.lock",
        "packs/store/boards/ARCHIVE.tgz",
    ])
    func linkInPlaceOfAFileOfTheStoreIsRefused(name: String) throws {
        let elsewhere = TemporaryFolder()
        let archive = store.path(of: Self.pack("1.0.0"), named: "boards") + ".tgz"
        let path = name.hasSuffix(".tgz") ? archive : "\(folder.path)/\(name)"
        try FileManager.default.createDirectory(
            at: URL(filePath: path).deletingLastPathComponent(), withIntermediateDirectories: true)
        let isFile = name.hasSuffix("lock") || name.hasSuffix(".tgz")
        let target = elsewhere.path + (isFile ? "/target" : "")
        try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: target)
        let error = #expect(throws: PackError.self) { try use(Self.pack("1.0.0")) }
        #expect(error?.message.hasPrefix("\(path) is a symbolic link, which is not followed") == true)
        #expect(FolderListing.names(in: elsewhere.path) == [])
    }

    @Test func builtArchiveIsNotWrittenThroughALink() throws {
        let (path, target) = ("\(folder.path)/a.tgz", "\(folder.path)/target")
        try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: target)
        for isReplacing in [true, false] {
            #expect(throws: PackError.self) { try FileSystem.write([1], to: path, replacing: isReplacing) }
        }
        #expect(FolderListing.names(in: folder.path) == ["a.tgz"])
    }

    @Test func sameChangeByAnotherProcessIsNoConflict() throws {
        try use(Self.pack("1.0.0"))
        try use(Self.pack("1.0.0"))
        #expect(try store.lockfile(at: lockfile).packs["boards"]?.version == "1.0.0")
        #expect(try store.former(of: "boards", in: lockfile) == nil)
    }

    @Test(arguments: [
        ("{\"lockfile\": 2, \"packages\": []}", "format version 2 (expected 1)"),
        ("{\"lockfile\": 1}", "\"packs\" is missing"), ("{\"lockfile\": \"1\"}", "\"lockfile\" is not a number"),
        ("{\"lockfile\": 1, \"packs\": []}", "\"packs\" is not an object"), ("{\"lockf", "not JSON"),
        ("[]", "it is not an object"),
    ])
    func lockfileThatCannotBeUsedSaysWhy(text: String, reason: String) throws {
        FolderListing.write(text, to: lockfile)
        let error = #expect(throws: ProviderError.self) { try store.lockfile(at: lockfile) }
        #expect(error?.message == "could not use \(lockfile): \(reason)")
    }

    @Test func lockfileReadsAsItWasWritten() throws {
        try use(Self.pack("1.0.0"))
        let lock = try store.lockfile(at: lockfile)
        #expect(lock.packs == ["boards": Self.pack("1.0.0")])
        #expect(try lock.text == (try String(contentsOfFile: lockfile, encoding: .utf8)))
    }

    @Test func changeThatAnotherProcessMadeMeanwhileIsNotOverwritten() throws {
        try use(Self.pack("1.0.0"))
        let error = #expect(throws: PackError.self) { try use(Self.pack("1.1.0")) }
        #expect(error?.code == .busy)
        #expect(try store.lockfile(at: lockfile).packs["boards"]?.version == "1.0.0")
    }

    @Test func onlyTheVersionBeforeIsKept() throws {
        let versions = ["1.0.0", "1.1.0", "1.2.0"].map { Self.pack($0) }
        try use(versions[0])
        try use(versions[1], inPlaceOf: versions[0])
        try use(versions[2], inPlaceOf: versions[1])
        #expect(versions.map { store.holds($0, named: "boards") } == [false, true, true])
        #expect(try store.former(of: "boards", in: lockfile) == versions[1])
    }

    @Test func versionThatAnotherLockfileUsesStays() throws {
        let other = folder.path + "/other.lock"
        try use(Self.pack("1.0.0"))
        try use(Self.pack("1.0.0"), in: other)
        _ = try store.remove("boards", from: lockfile)
        #expect(store.holds(Self.pack("1.0.0"), named: "boards"))
        _ = try store.remove("boards", from: other)
        #expect(!store.holds(Self.pack("1.0.0"), named: "boards"))
    }

    @Test func wayBackSurvivesAProcessThatEndedBeforeTheLockfileWasWritten() throws {
        let (one, two) = (Self.pack("1.0.0"), Self.pack("1.1.0"))
        try use(one)
        try use(two, inPlaceOf: one)
        // As a process does that is killed between the two files.
        try PackHistory(of: lockfile, in: store.folder)
            .add(two, named: "boards")
        #expect(try store.former(of: "boards", in: lockfile) == one)
    }

    @Test(arguments: [
        (#""hosts": ["a b"], "credentials": []"#, "expected hosts, found \"a b\""),
        (#""hosts": [], "credentials": ["blood"]"#, "expected kinds of credentials, found \"blood\""),
    ])
    func permissionsThatCannotBeReadAreAnError(fields: String, reason: String) throws {
        let integrity = PackIntegrity(of: [UInt8]()).description
        FolderListing.write(
            """
            {"lockfile": 1, "packs": {"boards": {"version": "1.0.0", "source": "x", "integrity": "\(integrity)", "contract": 1,
            "providers": {"boards": {"file": "boards.js", "permissions": {\(fields), "mediaHosts": [], "needsKey": false, "methods": []}}}, "scripts": {}}}}
            """, to: lockfile)
        let error = #expect(throws: ProviderError.self) { try store.lockfile(at: lockfile) }
        #expect(error?.message.contains(reason) == true, "\(error?.message ?? "")")
    }

    @Test(arguments: [
        ("\"../../evil\"", "\"1.0.0\"", "\"boards.js\""), ("\"boards\"", "\"../1\"", "\"boards.js\""),
        ("\"boards\"", "\"1.0.0\"", "\"../boards.js\""), ("\"boards\"", "\"1.0.0\"", "\"/etc/boards.js\""),
        ("\"@anna/../boards\"", "\"1.0.0\"", "\"boards.js\""),
    ])
    func lockfileThatLeadsOutOfTheStoreIsRefused(name: String, version: String, file: String) throws {
        let integrity = PackIntegrity(of: [UInt8]()).description
        FolderListing.write(
            """
            {"lockfile": 1, "packs": {\(name): {"version": \(version), "source": "x", "integrity": "\(integrity)", "contract": 1,
            "providers": {"boards": {"file": \(file), "permissions": {"hosts": [], "mediaHosts": [], "credentials": [], "needsKey": false, "methods": []}}}, "scripts": {}}}}
            """, to: lockfile)
        #expect(throws: ProviderError.self) { try store.lockfile(at: lockfile) }
    }
}
