import ProviderModel

/// A pack built from its folder: the same bytes at any time, on every machine with the same zlib.
package struct PackBuild: Sendable {
    /// What its `package.json` says.
    package let manifest: PackManifest
    /// What is in it, in the order it is packed.
    package let files: [PackedFile]
    /// Paths that were left out because the manifest does not list them, they may hold a secret, or are not files.
    package let leftOut: [String]
    /// The archive, which `npm install` takes as well.
    package let archive: [UInt8]
    /// The archive's integrity.
    package let integrity: PackIntegrity

    /// Builds a folder's pack.
    ///
    /// Its providers are not tested here.
    package static func build(folder: String) throws(PackError) -> PackBuild {
        let manifest = try PackManifest.read(folder: folder)
        let list = try PackFileList(folder: folder, files: manifest.files)
        let limits = PackArchive.Limits.default
        try check(manifest, list.paths.map(\.description), in: folder)
        var files: [(path: String, content: [UInt8])] = []
        var total = 0
        for path in list.paths.map(\.description) {
            let content = try FileSystem.bytes(at: "\(folder)/\(path)", limit: limits.file)
            total += content.count
            guard total <= limits.unpacked else {
                throw PackError(
                    .tooLarge,
                    "the files of \(folder) have more than the maximum of \(ByteCount(limits.unpacked))",
                    hint: "list the files of the pack in \"files\" of \(PackManifest.fileName)")
            }
            files.append((path, content))
        }
        // npm's name for the outermost folder, and the time that npm gives every file: 1985-10-26.
        let tar = TarHeader.archive(of: files.map { ("package/\($0.path)", $0.content) }, time: 499_162_500)
        let archive = try Gzip.compress(tar)
        guard archive.count <= limits.compressed else {
            throw PackError(
                .tooLarge,
                "the pack has \(ByteCount(archive.count)), more than the maximum of \(ByteCount(limits.compressed))")
        }
        return PackBuild(
            manifest: manifest, files: files.map { PackedFile(path: $0.path, size: $0.content.count) },
            leftOut: list.leftOut, archive: archive, integrity: PackIntegrity(of: archive))
    }

    /// What npm would name the archive: `imgscript-core-1.0.0.tgz`.
    package var fileName: String { "\(manifest.name.fileStem)-\(manifest.version).tgz" }

    /// How many bytes the files have.
    package var unpackedSize: Int { files.reduce(0) { $0 + $1.size } }

    /// Writes the archive, in place of what was there.
    package func write(to path: String) throws(PackError) {
        try FileSystem.write(archive, to: path)
    }

    /// A pack that lacks what it lists would be refused when it is unpacked.
    private static func check(_ manifest: PackManifest, _ paths: [String], in folder: String) throws(PackError) {
        for provider in manifest.providers where !paths.contains(provider) {
            let isThere = FileSystem.exists("\(folder)/\(provider)")
            throw PackError(
                .manifest,
                "\(PackManifest.fileName) lists \(provider), which is \(isThere ? "not packed" : "missing")",
                hint: isThere ? "check \"files\" and the ignore files" : nil)
        }
    }
}
