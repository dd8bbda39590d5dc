import ProviderModel

/// A pack built from its folder: the same bytes on every machine and at any time.
package struct PackBuild: Sendable {
    /// What its `package.json` says.
    package let manifest: PackManifest
    /// What is in it, in the order it is packed.
    package let files: [PackedFile]
    /// Files that stayed out because they may hold a secret or are none.
    package let leftOut: [String]
    /// The archive, which `npm install` takes as well.
    package let archive: [UInt8]
    /// The archive's integrity.
    package let integrity: PackIntegrity

    /// Builds a folder's pack.
    ///
    /// Whether its providers are any good is `PackConformance`'s matter.
    package static func build(folder: String) throws(PackError) -> PackBuild {
        let manifest = try PackManifest.read(folder: folder)
        let list = try PackFileList(folder: folder, files: manifest.files)
        let limits = PackArchive.Limits.standard
        try check(manifest, list.paths.map(\.description), in: folder)
        var tar = TarArchive()
        var files: [PackedFile] = []
        var total = 0
        for path in list.paths.map(\.description) {
            let content = try DiskFile.bytes(at: "\(folder)/\(path)", limit: limits.file)
            total += content.count
            guard total <= limits.unpacked else {
                throw PackError(
                    .tooLarge,
                    "the files of \(folder) are more than \(ByteCount(limits.unpacked)), the most a pack holds",
                    hint: "name those that belong to it in “files” of \(PackManifest.fileName)")
            }
            tar.add("package/\(path)", content)
            files.append(PackedFile(path: path, size: content.count))
        }
        let archive = GzipMember.wrapping(tar.finished())
        guard archive.count <= limits.compressed else {
            throw PackError(
                .tooLarge, "the pack has \(ByteCount(archive.count)), and \(ByteCount(limits.compressed)) is the most")
        }
        return PackBuild(
            manifest: manifest, files: files, leftOut: list.leftOut, archive: archive,
            integrity: PackIntegrity(of: archive))
    }

    /// What npm would name the archive: `imgscript-core-1.0.0.tgz`.
    package var fileName: String { "\(manifest.name.fileStem)-\(manifest.version).tgz" }

    /// How many bytes the files have.
    package var unpackedSize: Int { files.reduce(0) { $0 + $1.size } }

    /// Writes the archive, in place of what was there.
    package func write(to path: String) throws(PackError) {
        try DiskFile.write(archive, to: path, mode: 0o644, replacing: true)
    }

    /// A pack that lacks what it lists would be refused by whoever unpacks it.
    private static func check(_ manifest: PackManifest, _ paths: [String], in folder: String) throws(PackError) {
        for provider in manifest.providers where !paths.contains(provider) {
            let isThere = DiskFolder.isTaken("\(folder)/\(provider)")
            throw PackError(
                .manifest,
                "\(PackManifest.fileName) lists \(provider), which is \(isThere ? "not packed" : "not there")",
                hint: isThere ? "“files” or an ignore file keeps it out" : nil)
        }
    }
}
