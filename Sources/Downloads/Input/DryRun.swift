import Glibc
import ProviderModel

/// Finds out what would be fetched into a folder, without touching it.
struct DryRun {
    private let folder: String
    private let template: NameTemplate
    private let archive: DownloadArchive?
    /// Names that are claimed, as hash values: a plan may be long.
    private var claims: Set<Int> = []
    private var keys: Set<Int> = []

    init(folder: String, template: NameTemplate, archive: DownloadArchive?) {
        self.folder = folder
        self.template = template
        self.archive = archive
    }

    /// The files for requests, and why they need not be fetched, if so.
    mutating func plan(_ requests: [DownloadRequest]) throws(DownloadError) -> [DownloadEvent] {
        let archived = try archive?.paths(of: requests.map(\.key)) ?? requests.map { _ in nil }
        return zip(requests, archived).map { request, archived in
            let planned = template.plan(request)
            if let archived { return .planned(planned, .archived(path: archived)) }
            guard keys.insert(planned.key.hashValue).inserted else { return .planned(planned, .repeated) }
            if access("\(folder)/\(planned.path)", F_OK) == 0 { return .planned(planned, .present(path: planned.path)) }
            let isFree = claims.insert(planned.path.lowercased().hashValue).inserted
            return .planned(isFree ? planned : planned.renamed(), nil)
        }
    }
}
