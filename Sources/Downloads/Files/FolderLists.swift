/// What files lie in some folders, each read when it is asked about first.
///
/// A list of a folder takes a fraction of the time that looking for each of its files takes. It tells what is there; what
/// it does not have may be there as well.
struct FolderLists {
    private let root: OpenFolder
    private var lists: [Substring: Set<String>] = [:]
    /// How many names may still be read: folders may be large.
    private var room: Int

    init(below root: OpenFolder, limit: Int = 20_000) {
        self.root = root
        room = limit
    }

    /// Whether a file is there for certain.
    mutating func have(_ path: String) -> Bool {
        // Texts are the same in whatever way their letters are put together; names of files are not.
        guard path.utf8.allSatisfy({ $0 < 0x80 }) else { return false }
        let slash = path.utf8.lastIndex(of: UInt8(ascii: "/"))
        let folder = path[..<(slash ?? path.startIndex)]
        let name = slash.map { String(path[path.utf8.index(after: $0)...]) } ?? path
        if let list = lists[folder] { return list.contains(name) }
        guard room > 0 else { return false }
        let list = root.fileNames(in: folder.isEmpty ? "." : String(folder), limit: room)
        room -= list.count + 1
        lists[folder] = list
        return list.contains(name)
    }
}
