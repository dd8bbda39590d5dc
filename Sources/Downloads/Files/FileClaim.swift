import CFiles
import CXXHash
import Glibc

/// A file that is on its way into a folder and that nobody else fetches meanwhile, in this process or another.
///
/// It is a lock on the folder, at a place that the file's name and key lead to: nothing of it is seen there, and it ends
/// with the process. Where two files lead to one place, which hardly ever happens, one is left to the next run.
final class FileClaim: Sendable {
    let folder: OpenFolder
    private let place: Int64

    /// Claims a file; nil where the file system has no such locks.
    ///
    /// Throws `.busy` where another process has it; `isAlone` tells of some folders that there is none.
    init?(
        to planned: PlannedDownload, in folder: OpenFolder, isAlone: () -> Bool = { false }
    ) throws(DownloadError) {
        self.folder = folder
        place = Self.place(of: planned)
        switch Self.claim(place, in: folder, isAlone) {
        case true?: return
        case nil: return nil
        case false?: break
        }
        guard Self.claimInTurn(place, in: folder) else {
            let name = planned.name.fileName(ending: planned.expectedEnding)
            throw DownloadError(.busy, "another process is fetching \(folder.path)/\(name)")
        }
    }

    deinit { cfiles_give_up(folder.descriptor, place) }

    /// Claims what somebody else has, or tried to have at the same moment: of those who come here one gets it.
    private static func claimInTurn(_ place: Int64, in folder: OpenFolder) -> Bool {
        folder.contested.withLock { _ in
            // Others have it for a few system calls; only a folder that is locked by hand stays so.
            for _ in 0..<100 where cfiles_lock(folder.descriptor) != 0 { usleep(100) }
            defer { cfiles_unlock(folder.descriptor) }
            return claim(place, in: folder) ?? false
        }
    }

    /// Claims a place unless somebody else has it, or tries at the same moment; nil where there are no such locks.
    private static func claim(_ place: Int64, in folder: OpenFolder, _ isAlone: () -> Bool = { false }) -> Bool? {
        guard cfiles_claim(folder.descriptor, place) == 0 else { return nil }
        // Whoever comes from now on finds the claim.
        if isAlone() { return true }
        let others = cfiles_others_claim(folder.descriptor, place)
        if others == 0 { return true }
        cfiles_give_up(folder.descriptor, place)
        return others > 0 ? false : nil
    }

    /// The same in every run, and no longer than a file can be.
    private static func place(of planned: PlannedDownload) -> Int64 {
        var text = "\(planned.name.stem)/\(planned.key)"
        return Int64(text.withUTF8 { cxxhash_of($0.baseAddress, $0.count).low } >> 2)
    }
}
