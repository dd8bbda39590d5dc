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
    package init(_ planned: PlannedDownload, from media: Media) { self.init(planned.wanted, from: media) }

    /// What is to be said of a file, without any secret.
    init(_ wanted: WantedFile, from media: Media) {
        let request = wanted.request
        let redaction = request.source.credentials?.redaction
        func clean(_ text: String) -> String { redaction?.redact(text) ?? text }
        guard case .item(let item) = request.subject else {
            source = media.url.host
            page = clean(wanted.media.url.withoutQuery)
            line = Self.line(title: nil, author: nil, license: nil, source: source)
            return
        }
        provider = item.provider.description
        id = clean(item.id)
        title = item.title.map(clean)
        author = item.author.map { clean($0.name) }
        authorURL = item.author?.url.map { clean($0.description) }
        source = request.source.name
        page = clean(item.page?.description ?? wanted.media.url.withoutQuery)
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
    /// Its fields, as they are kept.
    var kept: KeptFields {
        var fields = KeptFields()
        fields.add(provider)
        fields.add(id)
        fields.add(title)
        fields.add(author)
        fields.add(authorURL)
        fields.add(source)
        fields.add(page)
        fields.add(licenseID)
        fields.add(license)
        fields.add(licenseURL)
        fields.add(line)
        fields.add(notice)
        return fields
    }
}
