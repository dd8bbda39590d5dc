import CFiles
import Glibc

/// What a process has to remember of the files it is about to finish, a record each: a fifth of a transaction's cost.
///
/// Each process has its own, locked as long as it runs. One that nobody has locked is of a run that was killed.
final class CreditJournal: Sendable {
    private let descriptor: Int32
    private let folder: OpenFolder
    private let name: String

    private static let beginning = "credits.journal-"

    /// Begins a journal in the hidden folder.
    init(in folder: OpenFolder) throws(DownloadError) {
        self.folder = folder
        var number = Int(getpid())
        while true {
            let name = Self.beginning + String(number)
            let descriptor = cfiles_open(folder.descriptor, name, O_RDWR | O_CREAT | O_APPEND, 0o666)
            guard descriptor >= 0 else { throw folder.failure(errno, "opened", folder.path + "/" + name) }
            var status = stat()
            // Another's, or one that still holds what a killed run left: the next number is free.
            if cfiles_lock(descriptor) == 0, fstat(descriptor, &status) == 0, status.st_size == 0, status.st_nlink > 0 {
                self.descriptor = descriptor
                self.name = name
                return
            }
            Glibc.close(descriptor)
            number += 1 << 22
        }
    }

    deinit {
        var status = stat()
        if fstat(descriptor, &status) == 0, status.st_size == 0 { unlinkat(folder.descriptor, name, 0) }
        Glibc.close(descriptor)
    }

    /// Adds a row.
    func add(_ record: [UInt8]) throws(DownloadError) {
        guard Glibc.write(descriptor, record, record.count) == record.count else {
            throw folder.failure(errno, "written", folder.path + "/" + name)
        }
    }

    /// Forgets all rows: they are kept elsewhere now.
    func clear() throws(DownloadError) {
        guard ftruncate(descriptor, 0) == 0 else { throw folder.failure(errno, "written", folder.path + "/" + name) }
    }

    /// Hands over what killed runs left, and removes it when `keep` has kept it.
    static func takeOver(_ folder: DownloadFolder, _ keep: ([CreditRow]) throws -> Void) throws {
        let hidden = try folder.folder([".imgscript"])
        for name in try hidden.names() where name.hasPrefix(beginning) {
            let descriptor = cfiles_open(hidden.descriptor, name, O_RDWR, 0)
            guard descriptor >= 0 else { continue }
            let content = DescriptorContent(owning: descriptor)
            guard cfiles_lock(descriptor) == 0 else { continue }
            try keep(CreditRow.rows(ofJournal: content.bytes(at: 0, count: content.count)))
            unlinkat(hidden.descriptor, name, 0)
        }
    }
}
