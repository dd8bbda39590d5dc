import Glibc
import ProviderModel

/// Finds out what would be fetched into a folder, without touching it.
struct DryRun {
    private let folder: String
    private let template: NameTemplate
    private let conversion: PictureConversion
    private let archive: DownloadArchive?
    /// Names that are claimed, in lower case.
    private var claims: Set<String> = []
    private var keys: Set<MediaKey> = []

    init(folder: String, template: NameTemplate, _ conversion: PictureConversion, archive: DownloadArchive?) {
        self.folder = folder
        self.template = template
        self.conversion = conversion
        self.archive = archive
    }

    /// The files for requests, and why they need not be fetched, if so.
    mutating func plan(_ requests: [DownloadRequest]) throws(DownloadError) -> [DownloadEvent] {
        let archived = try archive?.paths(of: requests.map(\.key)) ?? requests.map { _ in nil }
        return zip(requests, archived).map { request, archived in
            let planned = template.plan(request, conversion)
            if let archived { return .planned(planned, .archived(path: archived)) }
            guard keys.insert(planned.key).inserted else { return .planned(planned, .repeated) }
            if access("\(folder)/\(planned.path)", F_OK) == 0 { return .planned(planned, .present(path: planned.path)) }
            let isFree = claims.insert(planned.path.lowercased()).inserted
            return .planned(isFree ? planned : planned.renamed(), nil)
        }
    }
}
