import LocalDatabase
import ProviderModel

/// Whose a file is, and what its source asks to be said of it.
package struct Credit: Hashable, Sendable {
    /// The provider; nil for a bare URL.
    package var provider: String?
    /// The item's id there.
    package var id: String?
    package var title: String?
    package var author: String?
    package var authorURL: String?
    /// The source's name.
    package var source: String
    /// The page of the item, else where the file was.
    package var page: String
    /// The licence's id: `cc-by-4.0`.
    package var licenseID: String?
    /// The licence as people write it: `CC BY 4.0`.
    package var license: String?
    package var licenseURL: String?
    /// The line to show with the image: the one the source asks for, else one that says the same.
    package var line: String
    /// What the source wants to be said once beside its images.
    package var notice: String?

    /// What is to be said of a file, without any secret.
    package init(_ planned: PlannedDownload, from media: Media) {
        let request = planned.request
        let clean = Self.cleaning(request.source)
        let item = planned.item
        provider = item?.provider.description
        id = item.map { clean($0.id) }
        title = item?.title.flatMap(clean)
        author = item?.author.map { clean($0.name) }
        authorURL = item?.author?.url.map { clean($0.description) }
        source = item == nil ? media.url.host : request.source.name
        page = clean(item?.page?.description ?? planned.media.url.withoutQuery)
        licenseID = item?.license.map { clean($0.id) }
        license = item?.license.map { clean($0.shortName) }
        licenseURL = item?.license?.url.map { clean($0.description) }
        line = ""
        line = item.flatMap { request.source.attribution.line(for: $0) }.map(clean) ?? ownLine
        notice = item == nil ? nil : request.source.terms.notice
    }

    /// Whether it says no more of an item than that there is one, as of an item that was named by its id.
    var isOfNameOnly: Bool { provider != nil && title == nil && author == nil && licenseID == nil }

    private static func cleaning(_ source: DownloadSource) -> (String) -> String {
        guard let redaction = source.credentials?.redaction else { return { $0 } }
        return redaction.redact
    }

    /// What a credit says at least: title, author, licence, source (Creative Commons, “TASL”).
    private var ownLine: String {
        var line = title.map { "“\($0)”" } ?? ""
        if let author { line += line.isEmpty ? author : " by \(author)" }
        let rest = [license, "via \(source)"].compactMap(\.self)
        return ([line] + rest).filter { !$0.isEmpty }.joined(separator: ", ")
    }
}

extension Credit {
    /// The columns of its row, in the order of `values`.
    static let columns = [
        "provider", "id", "title", "author", "author_url", "source", "page", "license_id", "license", "license_url",
        "line", "notice",
    ]

    var values: [String?] {
        [provider, id, title, author, authorURL, source, page, licenseID, license, licenseURL, line, notice]
    }

    /// Reads a row whose first column of a credit is at `start`.
    init(_ row: Row, from start: Int) {
        provider = row[start]
        id = row[start + 1]
        title = row[start + 2]
        author = row[start + 3]
        authorURL = row[start + 4]
        source = row[start + 5]
        page = row[start + 6]
        licenseID = row[start + 7]
        license = row[start + 8]
        licenseURL = row[start + 9]
        line = row[start + 10]
        notice = row[start + 11]
    }
}
