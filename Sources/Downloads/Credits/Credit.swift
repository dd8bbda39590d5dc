import LocalDatabase
import ProviderModel

/// The credit of an image, as its source requires it: author, licence, source.
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
    /// The short name of the licence: `CC BY 4.0`.
    package var license: String?
    package var licenseURL: String?
    /// The line to show with the image: the one that the source prescribes, else title, author, licence and source.
    package var line: String
    /// A sentence that the source wants once beside its images.
    package var notice: String?
    /// Keywords, which no file of credits has: the library is searched for them.
    package var tags: [String] = []
    /// When the item was created, as the source says it.
    package var created: String?

    /// The credit of a file that came from `media`, without any secret.
    package init(_ request: DownloadRequest, from media: Media) {
        if let item = request.item {
            self.init(item, of: request.source, file: request.media.url)
        } else {
            let page = request.media.url.withoutQuery
            self.init(host: media.url.host, page: request.source.credentials?.redaction.redact(page) ?? page)
        }
    }

    /// The credit of a bare URL.
    private init(host: String, page: String) {
        source = host
        self.page = page
        line = Self.line(title: nil, author: nil, license: nil, source: host)
    }

    /// The credit of an item, without any secret; `file` stands in for a page.
    package init(_ item: Item, of source: DownloadSource, file: WebURL?) {
        let redaction = source.credentials?.redaction
        func clean(_ text: String) -> String { redaction?.redact(text) ?? text }
        provider = item.provider.description
        id = clean(item.id)
        title = item.title.map(clean)
        let authors = item.authors.isEmpty ? [item.author].compactMap(\.self) : item.authors
        author = authors.isEmpty ? nil : clean(authors.map(\.name).joined(separator: ", "))
        authorURL = item.author?.url.map { clean($0.description) }
        self.source = source.name
        page = clean(item.page?.description ?? file?.withoutQuery ?? "")
        licenseID = item.license.map { clean($0.id) }
        license = item.license.map { clean($0.shortName) }
        licenseURL = item.license?.url.map { clean($0.description) }
        line =
            item.credit.map(clean)
            ?? source.attribution.line(for: item).map(clean)
            ?? Self.line(title: title, author: author, license: license, source: source.name)
        notice = source.terms.notice
        tags = item.tags.map { clean($0.split(whereSeparator: \.isNewline).joined(separator: " ")) }
        created = item.created.map(clean)
    }

    /// The credit with what an earlier one knew besides: a listing may say less than the details did.
    func completed(by earlier: Credit?) -> Credit {
        guard let earlier else { return self }
        var credit = self
        if tags.isEmpty { credit.tags = earlier.tags }
        credit.created = created ?? earlier.created
        return credit
    }

    /// Whether it has nothing but the item's id, as for an item named by reference.
    var isOfNameOnly: Bool { provider != nil && title == nil && author == nil && licenseID == nil }

    /// What a credit says at least: title, author, licence, source (Creative Commons, "TASL").
    private static func line(title: String?, author: String?, license: String?, source: String) -> String {
        var line = title.map { "“\($0)”" } ?? ""
        if let author { line += line.isEmpty ? author : " by \(author)" }
        if let license, !license.isEmpty { line += line.isEmpty ? license : ", \(license)" }
        return line.isEmpty ? "via \(source)" : "\(line), via \(source)"
    }
}

extension Credit {
    /// The columns of its row, in the order of `init(_:from:)` and `columnValues`.
    static let columns =
        "provider, id, title, author, author_url, source, page, license_id, license, license_url, line, notice, tags, created"

    static let columnCount = 14

    /// Reads the columns of a row, from this one on.
    init(_ row: Row, from column: Int) {
        provider = row[column]
        id = row[column + 1]
        title = row[column + 2]
        author = row[column + 3]
        authorURL = row[column + 4]
        source = row[column + 5]
        page = row[column + 6]
        licenseID = row[column + 7]
        license = row[column + 8]
        licenseURL = row[column + 9]
        line = row[column + 10]
        notice = row[column + 11]
        tags = (row[column + 12] as String?)?.split(separator: "\n").map(String.init) ?? []
        created = row[column + 13]
    }

    var columnValues: [(any DatabaseValueConvertible)?] {
        [
            provider, id, title, author, authorURL, source, page, licenseID, license, licenseURL, line, notice,
            tags.isEmpty ? nil : tags.joined(separator: "\n"), created,
        ]
    }
}
