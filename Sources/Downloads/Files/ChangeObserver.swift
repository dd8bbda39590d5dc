/// Is asked before each change that a run makes on the disk; a test ends a run between any two of them.
package protocol ChangeObserver: Sendable {
    /// Says that a change is about to be made; throws where it is not to be.
    func willChange(_ change: DiskChange) throws(DownloadError)

    /// Whether no change may be made any more.
    var isOver: Bool { get }
}

/// A change on the disk.
package enum DiskChange: String, Sendable, CaseIterable {
    case createFolder
    case createFile
    case write
    case truncate
    case mark
    case link
    case rename
    case remove
    /// A transaction of a database is about to be committed.
    case transaction
}

extension Optional where Wrapped == any ChangeObserver {
    /// Whether a change may be made that needs not succeed.
    func allows(_ change: DiskChange) -> Bool {
        guard let self else { return true }
        do {
            try self.willChange(change)
            return true
        } catch { return false }
    }
}
