import Downloads
import Glibc
import ProviderModel

/// What would be fetched into a folder, found out without touching it.
struct FolderPlan {
    let folder: String
    let planner: DownloadPlanner
    let archive: DownloadArchive?
    /// Names that are given away, as numbers: a plan may be long.
    private var claims: Set<Int> = []
    private var keys: Set<MediaKey> = []

    init(folder: String, planner: DownloadPlanner, archive: DownloadArchive?) {
        self.folder = folder
        self.planner = planner
        self.archive = archive
    }

    /// The file for a request, and why it need not be fetched, if so.
    mutating func file(
        for request: DownloadRequest
    ) throws(DownloadError) -> (ImgScript.PlannedFile, ImgScript.SkippedFile?) {
        var planned = try planner.plan(request)
        if let record = try archive?.record(of: planned.key) {
            return (.init(planned), .archived(path: record.path))
        }
        guard keys.insert(planned.key).inserted else { return (.init(planned), .repeated) }
        if FileLook.isThere("\(folder)/\(planned.expectedPath)") {
            return (.init(planned), .present(path: planned.expectedPath))
        }
        if !claims.insert(planned.expectedPath.lowercased().hashValue).inserted {
            planned.name = planned.name.distinct(for: planned.key)
        }
        return (.init(planned), nil)
    }
}

/// Whether something is there.
enum FileLook {
    static func isThere(_ path: String) -> Bool { access(path, F_OK) == 0 }
}
