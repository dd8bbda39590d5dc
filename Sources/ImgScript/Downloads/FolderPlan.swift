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
    ) throws(DownloadError) -> (ImageEngine.PlannedFile, ImageEngine.SkippedFile?) {
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

/// What is there.
enum FileLook {
    /// Whether anything is.
    static func isThere(_ path: String) -> Bool { access(path, F_OK) == 0 }

    /// Throws where there is no folder to take up again.
    static func checkIsThere(_ path: String) throws(ImageEngine.DownloadFailure) {
        try checkFolder(path)
        guard !isThere(path) else { return }
        throw ImageEngine.DownloadFailure(.input, "there is no folder \(path); name one that was downloaded into")
    }

    /// Throws when something that is no folder has the folder's name.
    static func checkFolder(_ path: String) throws(ImageEngine.DownloadFailure) {
        var status = stat()
        guard stat(path, &status) == 0, status.st_mode & S_IFMT != S_IFDIR else { return }
        throw ImageEngine.DownloadFailure(.file, "\(path) is a file, expected a folder; choose another --directory")
    }
}
