import CFiles
import Glibc
import ProviderModel

extension CreditLedger {
    /// Writes the folder's credits anew: one process after another, so that the last has seen what all did.
    ///
    /// Files that say already what they would say are left alone.
    package func update() throws {
        guard !formats.isEmpty else { return }
        let lock = try CreditLock(folder)
        defer { lock.release() }
        for format in formats { try checkOwner(of: format) }
        try settle()
        if try isUpToDate() { return }
        try beginWriting()
        let missing = try CreditWriter(self).write()
        try endWriting(formats.map { ($0, state(of: $0, missing)) })
    }

    private func isUpToDate() throws -> Bool {
        let written = try formats.map { try writtenState(of: $0) }
        guard written.allSatisfy({ $0 != nil && $0 != "" }) else { return false }
        let missing = try missingFiles()
        return zip(formats, written).allSatisfy { state(of: $0, missing) == $1 }
    }

    /// What tells that a file of credits is the one that was written here, for the files that are there now.
    private func state(of format: CreditFormat, _ missing: MissingFiles) -> String? {
        guard let status = folder.root.status(of: format.fileName) else { return nil }
        let time = "\(status.st_mtim.tv_sec).\(status.st_mtim.tv_nsec)"
        return "\(CreditFormat.version) \(status.st_ino) \(status.st_size) \(time) \(missing.digest)"
    }

    /// Throws when the file is there and was not written here: it is not overwritten.
    func checkOwner(of format: CreditFormat) throws(DownloadError) {
        guard let descriptor = folder.file(at: format.fileName) else { return }
        defer { Glibc.close(descriptor) }
        let expected = Array(format.beginning.utf8)
        var found = [UInt8](repeating: 0, count: expected.count)
        let count = read(descriptor, &found, found.count)
        guard count > 0, found != expected else { return }
        throw DownloadError(
            .file,
            "\(folder.path)/\(format.fileName) is a file of your own and is not overwritten; "
                + "rename it, or go on with --credits none"
        )
    }
}

/// The right to write a folder's credits.
private struct CreditLock {
    private let descriptor: Int32

    /// Waits until nobody else has it; those that have are done in a moment.
    init(_ folder: DownloadFolder) throws(DownloadError) {
        let hidden = try folder.folder([".imgscript"])
        let path = hidden.path + "/credits.lock"
        descriptor = cfiles_open(hidden.descriptor, "credits.lock", O_RDWR | O_CREAT, 0o666)
        guard descriptor >= 0 else { throw hidden.failure(errno, "opened", path) }
        while flock(descriptor, LOCK_EX) != 0 {
            guard errno == EINTR else { throw hidden.failure(errno, "locked", path) }
        }
    }

    func release() { Glibc.close(descriptor) }
}
