import CLibArchive
import ProviderModel

/// A pack's archive: the bytes of its `.tgz`, from anybody.
package struct PackArchive: Sendable {
    /// How large a pack may be.
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
        package static let standard = Limits()

        package init() {}
    }

    /// The archive.
    package let bytes: [UInt8]
    /// Its integrity.
    package let integrity: PackIntegrity
    private let limits: Limits

    /// An archive in memory.
    package init(_ bytes: [UInt8], limits: Limits = .standard) throws(PackError) {
        guard bytes.count <= limits.compressed else {
            throw PackError(
                .tooLarge,
                "the archive has \(ByteCount(bytes.count)), and a pack has at most \(ByteCount(limits.compressed))")
        }
        self.bytes = bytes
        self.limits = limits
        integrity = PackIntegrity(of: bytes)
    }

    /// Reads an archive from a file.
    package init(fileAt path: String, limits: Limits = .standard) throws(PackError) {
        try self.init(try DiskFile.bytes(at: path, limit: limits.compressed), limits: limits)
    }

    /// Unpacks into a folder that must not exist, in a folder that does; it appears only when all is well.
    ///
    /// The whole archive is checked before the first file is written. Whatever fails leaves nothing behind.
    package func unpack(
        into folder: String, expecting expectation: PackExpectation = .anything
    ) throws(PackError) -> UnpackedPack {
        let (content, manifest) = try checked(expecting: expectation)
        guard !DiskFolder.isTaken(folder) else {
            throw PackError(.file, "\(folder) is already there; a pack is unpacked into a new folder")
        }
        let draft = try FolderDraft(for: folder)
        do throws(PackError) {
            try ArchiveExtraction(of: content, into: draft.path).run()
            try DiskFolder.move(draft.path, to: folder)
        } catch {
            DiskFolder.remove(draft.path)
            throw error
        }
        return UnpackedPack(folder: folder, manifest: manifest, files: content.files.sorted { $0.path < $1.path })
    }

    /// What the archive holds, without unpacking it; everything that makes unpacking fail fails here too.
    package func read(expecting expectation: PackExpectation = .anything) throws(PackError) -> PackManifest {
        try checked(expecting: expectation).manifest
    }

    private func checked(
        expecting expectation: PackExpectation
    ) throws(PackError) -> (content: ArchiveContent, manifest: PackManifest) {
        if let wanted = expectation.integrity, wanted != integrity {
            throw PackError(
                .integrity, "the archive is another one than was promised: found \(integrity), expected \(wanted)")
        }
        let content = try content()
        let manifest = try PackManifest(parsing: content.manifest)
        try expectation.check(manifest)
        let paths = Set(content.files.map(\.path))
        if let missing = manifest.providers.first(where: { !paths.contains($0) }) {
            throw PackError(.manifest, "\(PackManifest.fileName) lists \(missing), which is not in the archive")
        }
        return (content, manifest)
    }

    /// The files, read to the end of the archive and found to harm nobody.
    func content() throws(PackError) -> ArchiveContent {
        if let problem = clibarchive_load() { throw PackError(.library, String(cString: problem)) }
        return try ArchiveContent(of: try GzipReader(limits: limits).content(of: bytes), limits: limits)
    }
}

/// What an archive was promised to be.
package struct PackExpectation: Hashable, Sendable {
    /// The name that was asked for.
    package var name: PackName?
    /// The version that was asked for.
    package var version: SemanticVersion?
    /// The archive's SHA-512, as a registry or a lockfile has it.
    package var integrity: PackIntegrity?

    /// An expectation; nil expects nothing.
    package init(name: PackName? = nil, version: SemanticVersion? = nil, integrity: PackIntegrity? = nil) {
        self.name = name
        self.version = version
        self.integrity = integrity
    }

    /// Any pack will do.
    package static let anything = PackExpectation()

    /// Refuses a pack that says it is another one.
    package func check(_ manifest: PackManifest) throws(PackError) {
        if let name, name != manifest.name {
            throw PackError(
                .identity, "its \(PackManifest.fileName) says that it is \(manifest.name), expected \(name)",
                subject: name.description)
        }
        if let version, version.description != manifest.version.description {
            throw PackError(
                .identity, "its \(PackManifest.fileName) says version \(manifest.version), expected \(version)",
                subject: manifest.name.description)
        }
    }
}

/// A pack that has been unpacked.
package struct UnpackedPack: Sendable {
    /// Its folder.
    package let folder: String
    /// What its `package.json` says.
    package let manifest: PackManifest
    /// Its files, by path.
    package let files: [PackedFile]
}
