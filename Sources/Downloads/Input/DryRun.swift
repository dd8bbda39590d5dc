import Glibc
import ProviderModel

/// Finds out what would be fetched into a folder, without touching it.
struct DryRun {
    private let folder: String
    private let template: NameTemplate
    private let conversion: PictureConversion
    private let archive: DownloadArchive?
    private let failures: FailedDownloads
    private let deadLinkAge: Duration
    private var claims = NameClaims()

    init(folder: String, _ options: DownloadOptions, archive: DownloadArchive?, failures: FailedDownloads) throws {
        self.folder = folder
        template = try NameTemplate(options.name)
        conversion = options.conversion
        self.archive = archive
        self.failures = failures
        deadLinkAge = options.deadLinkAge
    }

    /// The files for requests, and why they need not be fetched, if so.
    mutating func plan(_ requests: [DownloadRequest]) throws(DownloadError) -> [DownloadEvent] {
        let archived = try archive?.paths(of: requests.map(\.key)) ?? requests.map { _ in nil }
        let dead = failures.deadLinks(among: requests.map(\.key.description), within: deadLinkAge)
        return zip(requests, archived).map { request, archived in
            let planned = template.plan(request, conversion)
            if let archived { return .planned(planned, .archived(path: archived)) }
            guard let claimed = claims.claim(planned) else { return .planned(planned, .repeated) }
            if access("\(folder)/\(planned.path)", F_OK) == 0 { return .planned(planned, .present(path: planned.path)) }
            if let dead = dead[planned.key.description] { return .planned(planned, dead.skipReason) }
            return .planned(claimed, nil)
        }
    }
}

/// The names that files of a plan have: hashes alone, since a plan may have millions.
struct NameClaims {
    /// The hash of the file's key by that of its name, as file systems see it that ignore case.
    ///
    /// In many small tables: one of millions would need half as much again whenever it grows.
    private var owners = [[Int: Int32]](repeating: [:], count: 256)

    /// The file with its name, a distinct one where another file has it; nil for one that was there before.
    mutating func claim(_ planned: PlannedFile) -> PlannedFile? {
        let owner = Int32(truncatingIfNeeded: planned.key.hashValue)
        var file = planned
        var name = file.path.lowercased().hashValue
        if let known = self[name], known != owner {
            file = planned.renamed()
            name = file.path.lowercased().hashValue
        }
        guard self[name] == nil else { return nil }
        self[name] = owner
        return file
    }

    private subscript(name: Int) -> Int32? {
        get { owners[name & 0xff][name] }
        set { owners[name & 0xff][name] = newValue }
    }
}
