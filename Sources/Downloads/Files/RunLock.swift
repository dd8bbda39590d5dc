import CSystemCalls
import Glibc
import ProviderModel

/// The lock that the runs in a folder share, which tells the next one of a run that was killed.
///
/// Each run appends a byte when it begins and another when it ends. The run that has the folder to itself and finds a beginning
/// without an end removes what is left: unfinished files in which nothing is or which are there finished, links without their
/// names, unfinished archives.
final class RunLock: Sendable {
    private static let fileName = "runs.lock"
    private static let (began, ended) = (UInt8(ascii: "+"), UInt8(ascii: "-"))

    private let folder: DownloadFolder
    /// -1 where the file cannot be opened: what makes that impossible is reported by all that follows.
    private let descriptor: Int32

    /// Begins a run; waits while another one removes what is left.
    init(_ folder: DownloadFolder) throws(DownloadError) {
        self.folder = folder
        let own = try folder.folder([DownloadFolder.ownName])
        if let refusal = OwnFile.linkRefusal("\(own.path)/\(Self.fileName)") { throw DownloadError(.file, refusal) }
        descriptor = open_below(own.descriptor, Self.fileName, O_RDWR | O_CREAT | O_APPEND, 0o666)
        guard descriptor >= 0 else { return }
        cleanUpIfAlone()
        while flock(descriptor, LOCK_SH) != 0, errno == EINTR {}
        note(Self.began)
    }

    deinit { if descriptor >= 0 { Glibc.close(descriptor) } }

    /// Ends the run, in order.
    func end() {
        guard descriptor >= 0 else { return }
        note(Self.ended)
        cleanUpIfAlone()
        flock(descriptor, LOCK_UN)
    }

    private var isOver: Bool { folder.root.observer?.isOver == true }

    private func note(_ byte: UInt8) {
        // Where it cannot be written, the next run looks for what is left in vain, or not at all.
        if !isOver { withUnsafeBytes(of: byte) { _ = write(descriptor, $0.baseAddress, 1) } }
    }

    private func notes() -> [UInt8] {
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { return [] }
        return [UInt8](unsafeUninitializedCapacity: Int(status.st_size)) { buffer, filled in
            filled = max(pread(descriptor, buffer.baseAddress, buffer.count, 0), 0)
        }
    }

    private func cleanUpIfAlone() {
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0, !isOver else { return }
        let notes = notes()
        guard !notes.isEmpty else { return }
        var isClean = true
        if notes.count(where: { $0 == Self.began }) != notes.count(where: { $0 == Self.ended }) {
            removeLeftovers(in: folder.root, &isClean)
        }
        // The notes stay while a process that is being killed still has a file: the next look is at the end of this run.
        if isClean, !isOver { ftruncate(descriptor, 0) }
    }

    /// Whether what an unfinished file was to be is there: another process had finished it first.
    private func isFinished(_ partName: String, in folder: OpenFolder) -> Bool {
        let pieces = partName.split(separator: ".", omittingEmptySubsequences: false).dropLast()
        guard let digits = pieces.last else { return false }
        let stem = pieces.dropLast().joined(separator: ".") + "."
        var isFinished = false
        try? folder.forEachEntry { name, isFolder in  // as above
            guard !isFinished, !isFolder, name.hasPrefix(stem), !name.hasSuffix(".part") else { return }
            let descriptor = open_below(folder.descriptor, name, O_RDONLY | O_NONBLOCK, 0)
            guard descriptor >= 0 else { return }
            defer { Glibc.close(descriptor) }
            isFinished = FileMark.all(of: descriptor).contains { $0.key.digits(8) == digits }
        }
        return isFinished
    }

    private func removeLeftovers(in folder: OpenFolder, _ isClean: inout Bool) {
        // What cannot be read holds nothing that a run has written.
        try? folder.forEachEntry { name, isFolder in
            if isFolder {
                guard let below = folder.existingFolder(named: name) else { return }
                removeLeftovers(in: below, &isClean)
            } else if name.hasSuffix(".part~"), PartFile.isName(String(name.dropLast())) {
                folder.remove(name)
            } else if PartFile.isName(name) {
                let hasContent = PartFile.isNameOfNoFurtherUse(name) || isFinished(name, in: folder)
                if !PartFile.removeLeftover(name, in: folder, hasContent: hasContent) { isClean = false }
            }
        }
    }
}
