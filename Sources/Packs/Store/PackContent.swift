/// A pack that is ready to be put into the store.
package struct PackContent: Sendable {
    /// Its unpacked folder, on the store's file system.
    package let folder: String
    /// The archive that it was unpacked from.
    package let archive: PackArchive

    /// The content of an archive, unpacked into a folder.
    package init(folder: String, archive: PackArchive) {
        self.folder = folder
        self.archive = archive
    }
}
