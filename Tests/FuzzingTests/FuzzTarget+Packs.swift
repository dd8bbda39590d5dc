import Foundation
import ProviderModel

@testable import Packs
@testable import ProviderRuntime

/// What comes with a pack.
extension FuzzTarget {
    private static let limits: PackArchive.Limits = {
        var limits = PackArchive.Limits()
        (limits.unpacked, limits.file, limits.entries) = (1 << 20, 1 << 16, 64)
        return limits
    }()

    static func readGzip(_ bytes: [UInt8]) throws(BrokenPromise) {
        if let content = try? Gzip.decompress(bytes, limit: limits.unpacked) {
            try require(content.count <= limits.unpacked, "no archive unpacks to more than its limit")
        }
        let packed = try? Gzip.compress(bytes)
        try require(
            packed.flatMap { try? Gzip.decompress($0, limit: .max) } == bytes, "what is compressed unpacks to the same")
    }

    static func readTar(_ bytes: [UInt8]) throws(BrokenPromise) {
        guard let packed = try? Gzip.compress(bytes), let contents = try? ArchiveContents(of: packed, limits: limits)
        else {
            return
        }
        for file in contents.files {
            try require(!file.path.hasPrefix("/") && !file.path.contains("\\"), "a file is in its pack")
            try require(!file.path.split(separator: "/").contains(".."), "no file leads out of its pack")
            try require(file.content.count <= limits.file, "a file is within its limit")
        }
        let files = contents.files.map { (path: "package/\($0.path)", content: $0.content) }
        guard let archive = try? Gzip.compress(TarHeader.archive(of: files, time: 0)) else {
            throw BrokenPromise(description: "what was unpacked can be packed")
        }
        guard let again = try? ArchiveContents(of: archive, limits: limits) else {
            throw BrokenPromise(description: "what was packed can be unpacked")
        }
        try require(again.files.map(\.path) == contents.files.map(\.path), "files keep their paths")
        try require(again.files.map(\.content) == contents.files.map(\.content), "files keep their content")
    }

    static func readMinisign(_ bytes: [UInt8]) throws(BrokenPromise) {
        let text = bytes.text
        if let key = try? PublicKey(parsing: text) {
            try require((try? PublicKey(parsing: key.fileText)) == key, "a key that is written reads the same")
            try require((try? PublicKey(parsing: key.description)) == key, "a key in one line reads the same")
        }
        if let signature = try? PackSignature(parsing: text) {
            try require(
                (try? PackSignature(parsing: signature.text)) == signature, "a signature that is written reads the same"
            )
        }
        if (try? SecretKey.needsPassword(text)) == false, let key = try? SecretKey(parsing: text, password: nil) {
            let again = (try? key.fileText(password: nil)).flatMap { try? SecretKey(parsing: $0, password: nil) }
            try require(
                again?.secret == key.secret && again?.id == key.id, "a secret key that is written reads the same")
        }
    }

    /// A range, then versions, each in its line.
    static func readVersions(_ bytes: [UInt8]) throws(BrokenPromise) {
        let lines = bytes.lines(atMost: 4)
        let versions = lines.dropFirst().compactMap { SemanticVersion($0) }
        for version in versions {
            let again = SemanticVersion(version.description)
            try require(again == version && again?.build == version.build, "a version that is printed reads the same")
            if let exact = VersionRange(version.description) {
                try require(exact.contains(version), "a version is a range of itself")
            } else {
                throw BrokenPromise(description: "a version is a range")
            }
        }
        for one in versions {
            for other in versions {
                try require(
                    [one < other, one == other, one > other].filter(\.self).count == 1, "versions have an order")
            }
        }
        guard let range = VersionRange(lines[0]) else { return }
        guard let highest = range.highest(of: versions) else { return }
        try require(range.contains(highest), "the highest version in a range is in it")
        try require(
            !versions.contains { $0 > highest && range.contains($0) },
            "no version in a range is higher than the highest")
    }

    static func readLockfile(_ bytes: [UInt8]) throws(BrokenPromise) {
        let data = Data(bytes)
        if let lockfile = try? Lockfile(data, of: "imgscript.lock") { try check(lockfile, readFrom: data) }
        // The fuzzer cannot know checksums: what has none is given them.
        guard let lockfile = try? JSONDecoder().decode(Lockfile.self, from: data),
            let written = (try? lockfile.text).map({ Data($0.utf8) })
        else { return }
        guard let again = try? Lockfile(written, of: "imgscript.lock") else {
            let isRefused =
                lockfile.lockfile != Lockfile.formatVersion || lockfile.packs.contains { $1.fault(as: $0) != nil }
            return try require(isRefused, "a lockfile that is written can be read")
        }
        try require(again == lockfile, "a lockfile that is written reads the same")
        try check(again, readFrom: written)
    }

    private static func check(_ lockfile: Lockfile, readFrom data: Data) throws(BrokenPromise) {
        guard let text = try? lockfile.text, let written = try? JSONValue(parsing: text.utf8)["packs"] else {
            throw BrokenPromise(description: "a lockfile that is read can be written")
        }
        let packs = JSONValue.found(in: data)?["packs"]
        for (name, pack) in lockfile.packs {
            try require(
                packs?[name]?.withSortedMembers == written[name]?.withSortedMembers, "a pack is what its checksum says")
            let path = pack.storePath(as: name)
            try require(path.hasPrefix("store/") && !path.hasPrefix("store/."), "a pack lies in the store")
            try require(!path.split(separator: "/").contains(".."), "no pack leads out of the store")
        }
    }
}
