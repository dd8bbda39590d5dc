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
        let redaction = request.source.credentials?.redaction
        func clean(_ text: String) -> String { redaction?.redact(text) ?? text }
        guard case .item(let item) = request.subject else {
            source = media.url.host
            page = clean(planned.media.url.withoutQuery)
            line = Self.line(title: nil, author: nil, license: nil, source: source)
            return
        }
        provider = item.provider.description
        id = clean(item.id)
        title = item.title.map(clean)
        author = item.author.map { clean($0.name) }
        authorURL = item.author?.url.map { clean($0.description) }
        source = request.source.name
        page = clean(item.page?.description ?? planned.media.url.withoutQuery)
        licenseID = item.license.map { clean($0.id) }
        license = item.license.map { clean($0.shortName) }
        licenseURL = item.license?.url.map { clean($0.description) }
        line =
            request.source.attribution.line(for: item).map(clean)
            ?? Self.line(title: title, author: author, license: license, source: source)
        notice = request.source.terms.notice
    }

    /// Whether it says no more of an item than that there is one, as of an item that was named by its id.
    var isOfNameOnly: Bool { provider != nil && title == nil && author == nil && licenseID == nil }

    /// What a credit says at least: title, author, licence, source (Creative Commons, “TASL”).
    private static func line(title: String?, author: String?, license: String?, source: String) -> String {
        var line = title.map { "“\($0)”" } ?? ""
        if let author { line += line.isEmpty ? author : " by \(author)" }
        if let license, !license.isEmpty { line += line.isEmpty ? license : ", \(license)" }
        return line.isEmpty ? "via \(source)" : "\(line), via \(source)"
    }
}

extension Credit {
    /// The columns of its row, in the order of `values`.
    static let columns = [
        "provider", "id", "title", "author", "author_url", "source", "page", "license_id", "license", "license_url",
        "line", "notice",
    ]

    /// The row of a file that has no place yet; it says where it will be.
    func row(_ key: MediaKey, plannedAt path: String?) -> [String?] {
        [
            key.description, nil, path, nil, provider, id, title, author, authorURL, source, page, licenseID, license,
            licenseURL, line, notice,
        ]
    }

    /// The row of a file that lies at this path.
    func row(_ key: MediaKey, at path: String) -> [String?] {
        var row = row(key, plannedAt: nil)
        row[1] = path
        return row
    }

    /// Says in a row where its file came to lie; where it was to lie is of no more use.
    static func place(_ row: inout [String?], at path: String) { (row[1], row[2], row[3]) = (path, nil, nil) }

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
