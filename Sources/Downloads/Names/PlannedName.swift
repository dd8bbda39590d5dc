/// Where a file is to go, below the folder of all downloads, before its ending is known.
package struct PlannedName: Hashable, Sendable {
    /// Safe names of the folders on the way.
    package var folders: [String]
    /// The file's safe name without its ending.
    package var stem: String
    /// Whether making the name safe may have made one of two different ids.
    package var hasAlteredIdentity: Bool

    /// A name.
    package init(folders: [String] = [], stem: String, hasAlteredIdentity: Bool = false) {
        self.folders = folders
        self.stem = stem
        self.hasAlteredIdentity = hasAlteredIdentity
    }

    /// The file's name with an ending, which is kept when the name has to be cut.
    package func fileName(ending: String) -> String { fitting("." + ending) }

    /// The name of one of an item's files: numbers are as long as the last one's, so that names sort as the files do.
    package func numbered(_ number: Int, of count: Int) -> PlannedName {
        let digits = String(number)
        let padding = max(2, String(count).count) - digits.count
        let ending = "-" + String(repeating: "0", count: max(padding, 0)) + digits
        var name = self
        name.stem = SafeFileName(stem, ending: ending, byteLimit: SafeFileName.byteLimit - 6).description
        return name
    }

    /// The name for a file that shares its name with another: the same in every run.
    package func distinct(for key: MediaKey) -> PlannedName {
        let name = SafeFileName(stem, ending: "~" + key.digits(8), byteLimit: SafeFileName.byteLimit - 6)
        return PlannedName(folders: folders, stem: name.description)
    }

    /// The name of the unfinished file: the same for two processes that fetch the same file, and for no other file.
    func partName(for key: MediaKey) -> String { fitting("." + key.digits(8) + ".part") }

    /// The path below the folder of all downloads.
    package func path(ending: String) -> String {
        let name = fileName(ending: ending)
        return folders.isEmpty ? name : (folders + [name]).joined(separator: "/")
    }

    /// The stem is safe already, so that there is nothing to do but to cut it where it is too long.
    private func fitting(_ ending: String) -> String {
        guard stem.utf8.count + ending.utf8.count > SafeFileName.byteLimit else { return stem + ending }
        return SafeFileName(stem, ending: ending).description
    }
}
