import CLibArchive
import CSodium
import Crypto
import FoundationEssentials
import Glibc
import ProviderModel
import ProviderRuntime

/// A pack's archive: the bytes of its `.tgz`, untrusted.
package struct PackArchive: Sendable {
    /// The maximum sizes of a pack.
    package struct Limits: Sendable {
        /// Bytes of the archive.
        package var compressed = 32 << 20
        /// Bytes of all that is in it.
        package var unpacked = 128 << 20
        /// Files and folders in it.
        package var entries = 10_000
        /// Bytes of one file.
        package var file = 16 << 20

        /// What holds for every pack.
        package static let `default` = Limits()

        /// Creates the default limits.
        package init() {}
    }

    /// The archive.
    package let bytes: [UInt8]
    /// Its integrity.
    package let integrity: PackIntegrity
    private let limits: Limits

    /// An archive in memory.
    package init(_ bytes: [UInt8], limits: Limits = .default) throws(PackError) {
        guard bytes.count <= limits.compressed else {
            throw PackError(
                .tooLarge,
                "the archive has \(ByteCount(bytes.count)), more than the maximum of \(ByteCount(limits.compressed))")
        }
        self.bytes = bytes
        self.limits = limits
        integrity = PackIntegrity(of: bytes)
    }

    /// Reads an archive from a file.
    package init(fileAt path: String, limits: Limits = .default) throws(PackError) {
        try self.init(try FileSystem.bytes(at: path, limit: limits.compressed), limits: limits)
    }

    /// Unpacks into a folder that must not exist, in a folder that does.
    ///
    /// The whole archive is checked before the first file is written. Whatever fails leaves nothing behind.
    package func unpack(
        into folder: String, expecting expectation: PackExpectation = .anything
    ) throws(PackError) -> UnpackedPack {
        let (contents, manifest) = try checked(expecting: expectation)
        guard mkdir(folder, 0o755) == 0 else {
            guard errno == EEXIST else { throw FileSystem.failure("create", folder) }
            throw PackError(.file, "\(folder) already exists (expected a new folder)")
        }
        do throws(PackError) {
            for file in contents.files {
                let path = "\(folder)/\(file.path)"
                try FileSystem.makeFolder(FileSystem.parent(of: path))
                try FileSystem.create(file.content, at: path)
            }
        } catch {
            FileSystem.remove(folder)
            throw error
        }
        let files = contents.files.map { PackedFile(path: $0.path, size: $0.content.count) }
        let scripts = contents.files.filter { $0.path.hasSuffix(".js") }
            .map { ($0.path, ScriptDigest(of: $0.content)) }
        return UnpackedPack(
            archive: self, folder: folder, manifest: manifest, files: files.sorted { $0.path < $1.path },
            scripts: Dictionary(scripts) { $1 })
    }

    /// What the archive holds, without unpacking it; everything that makes unpacking fail fails here too.
    package func read(expecting expectation: PackExpectation = .anything) throws(PackError) -> PackManifest {
        try checked(expecting: expectation).manifest
    }

    /// What is not in a folder as it is in the archive, in phrases such as `README.md was changed`.
    func differences(from folder: String) throws(PackError) -> [String] {
        let files = try ArchiveContents(of: bytes, limits: limits).files
        var differences: [String] = []
        for file in files {
            let path = "\(folder)/\(file.path)"
            // An unreadable or longer file differs from the installed one.
            if (try? FileSystem.kind(of: path)) != .file {
                differences.append("\(file.path) is missing")
            } else if (try? FileSystem.bytes(at: path, limit: file.content.count)) != file.content {
                differences.append("\(file.path) was changed")
            }
        }
        let known = Set(files.map(\.path))
        let added = try FileSystem.files(below: folder).filter { !known.contains($0) }
        return differences + added.map { "\($0) was added" }
    }

    private func checked(
        expecting expectation: PackExpectation
    ) throws(PackError) -> (contents: ArchiveContents, manifest: PackManifest) {
        if let expected = expectation.integrity, expected != integrity {
            throw PackError(.integrity, "wrong archive: found \(integrity) (expected \(expected))")
        }
        let contents = try ArchiveContents(of: bytes, limits: limits)
        guard let text = contents[PackManifest.fileName] else {
            throw PackError(.archive, "the archive has no \(PackManifest.fileName) in its outermost folder")
        }
        let manifest = try PackManifest(parsing: text)
        try expectation.check(manifest)
        let paths = Set(contents.files.map(\.path))
        if let missing = manifest.providers.first(where: { !paths.contains($0) }) {
            throw PackError(.manifest, "\(PackManifest.fileName) lists \(missing), which is not in the archive")
        }
        return (contents, manifest)
    }
}

/// A pack that has been unpacked.
package struct UnpackedPack: Sendable {
    /// The archive that it came in.
    package let archive: PackArchive
    /// Its folder.
    package let folder: String
    /// What its `package.json` says.
    package let manifest: PackManifest
    /// Its files, by path.
    package let files: [PackedFile]
    /// The digests of its scripts, by path.
    package var scripts: [String: ScriptDigest] = [:]
}

/// What an archive has to be.
package struct PackExpectation: Hashable, Sendable {
    /// The requested name.
    package var name: PackName?
    /// The requested version.
    package var version: SemanticVersion?
    /// The archive's SHA-512, as a registry or a lockfile has it.
    package var integrity: PackIntegrity?

    /// An expectation; nil expects nothing.
    package init(name: PackName? = nil, version: SemanticVersion? = nil, integrity: PackIntegrity? = nil) {
        self.name = name
        self.version = version
        self.integrity = integrity
    }

    /// Any pack.
    package static let anything = PackExpectation()

    /// Throws for a pack with another name or version.
    package func check(_ manifest: PackManifest) throws(PackError) {
        if let name, name != manifest.name {
            throw PackError(
                .identity,
                "wrong package: its \(PackManifest.fileName) has the name \(manifest.name) (expected \(name))",
                subject: name.description)
        }
        if let version, version.description != manifest.version.description {
            throw PackError(
                .identity, "wrong version: its \(PackManifest.fileName) has \(manifest.version) (expected \(version))",
                subject: manifest.name.description)
        }
    }
}

/// The SHA-512 of an archive as Subresource Integrity, npm and browsers write it: `sha512-…`.
package struct PackIntegrity: Hashable, Sendable, CustomStringConvertible {
    private let digest: Data

    private static let prefix = "sha512-"

    /// The integrity of bytes.
    package init(of bytes: some DataProtocol) { digest = Data(SHA512.hash(data: bytes)) }

    /// The SHA-512 of a list such as `sha1-… sha512-…`; nil when there is none.
    package init?(_ text: String) {
        for word in text.split(whereSeparator: \.isWhitespace) where word.hasPrefix(Self.prefix) {
            // What follows a question mark are options, of which there are none yet.
            let code = word.dropFirst(Self.prefix.count).prefix { $0 != "?" }
            guard let data = Data(base64Encoded: String(code)), data.count == SHA512.byteCount else { continue }
            digest = data
            return
        }
        return nil
    }

    /// The text as it stands in a lockfile or a registry's answer.
    package var description: String { Self.prefix + digest.base64EncodedString() }

    /// Its beginning, for messages: `sha512-QytQ3B1a/BVghZBf…`.
    var short: String { "\(description.prefix(24))…" }
}

/// A pack's archive that was read to its end and validated; nothing of it has been written yet.
struct ArchiveContents {
    /// Its files, without the outermost folder, in the order they come.
    private(set) var files: [(path: String, content: [UInt8])] = []

    private var names = PackPathSet()
    private var outermost: String?
    private var entries = 0

    private static let blockSize = 512

    /// Reads an archive and checks every entry, and what follows them.
    init(of archive: [UInt8], limits: PackArchive.Limits) throws(PackError) {
        let tar = try Gzip.decompress(archive, limit: limits.unpacked)
        try TarReader.reading(tar) { reader throws(PackError) in
            while let entry = try reader.next() { try add(entry, from: reader, limits) }
            try Self.checkEnd(of: tar, used: reader.bytesRead)
        }
    }

    /// The content of a file; nil where there is none.
    subscript(path: String) -> [UInt8]? { files.first { $0.path == path }?.content }

    private mutating func add(
        _ entry: TarEntry, from reader: borrowing TarReader, _ limits: PackArchive.Limits
    ) throws(PackError) {
        entries += 1
        guard entries <= limits.entries else {
            throw PackError(.tooLarge, "the archive has more than the maximum of \(limits.entries) files")
        }
        let name = entry.path.description
        let first = name.prefix { $0 != "/" }
        guard outermost ?? String(first) == first else {
            throw .refused(
                name, "is outside of \"\(outermost ?? "")\" (expected one outermost folder, as npm pack writes it)")
        }
        outermost = String(first)
        do throws(PackPath.Refusal) {
            guard entry.size != nil else { return try names.insert(folder: name) }
            try names.insert(file: entry.path)
        } catch { throw .refused(name, error.reason) }
        guard let size = entry.size else { return }
        let inner = name.dropFirst(first.count + 1)
        guard !inner.isEmpty else {
            throw .refused(name, "is outside of a folder (expected one outermost folder, such as \"package\")")
        }
        guard (0...limits.file).contains(size) else {
            throw PackError(
                .tooLarge,
                "the archive's \(name.quoted) has \(size) bytes, more than the maximum of \(ByteCount(limits.file))")
        }
        files.append((String(inner), try reader.content(of: entry)))
    }

    /// The end mark has to be there, and nothing but zeros behind it.
    private static func checkEnd(of tar: [UInt8], used: Int) throws(PackError) {
        guard tar.count >= 2 * blockSize, tar.suffix(blockSize).allSatisfy({ $0 == 0 }) else {
            let hasMark = tar.count >= used && used > blockSize && tar[(used - blockSize)..<used].allSatisfy { $0 == 0 }
            throw .damaged(
                hasMark ? "data follows the end of the tar archive" : "the tar archive ends without an end mark")
        }
        guard tar[min(used, tar.count)...].allSatisfy({ $0 == 0 }) else {
            throw .damaged("data follows the end of the tar archive")
        }
    }
}

/// The libraries that packs are read and signed with.
package enum PackLibraries {
    /// Each with its version: `libarchive/3.6.2`.
    package static var versions: [String] {
        // libarchive names itself: "libarchive 3.6.2".
        let archive = archive_version_string().map { String(cString: $0) } ?? "libarchive"
        let sodium = sodium_version_string().map { String(cString: $0) } ?? ""
        return [archive.split(separator: " ", maxSplits: 1).joined(separator: "/"), "libsodium/\(sodium)"]
    }
}
