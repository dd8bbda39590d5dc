import CMetadata
import Glibc
import HTTPTransport
import ProviderModel

/// A field as it stands inside an image, with one value or several.
struct EmbeddedField: Hashable {
    enum Kind {
        case plain
        /// A text that may be there in several languages.
        case languages
        case list
    }

    let tag: String
    let values: [String]
    let kind: Kind

    /// Where title, author, licence, tags, date and source belong: IPTC Photo Metadata 2023.2, Exif 2.32, and what Google's image
    /// search reads ("Image license metadata").
    ///
    /// IPTC's older form has its own, short, texts.
    static func fields(for request: DownloadRequest, from media: Media, hasIPTC: Bool) -> [EmbeddedField] {
        let credit = Credit(request, from: media)
        var fields: [EmbeddedField?] = [field("Xmp.photoshop.Source", credit.page)]
        guard let item = request.item else { return fields.compactMap(\.self) }
        let redaction = request.source.credentials?.redaction
        let texts = Texts(
            authors: (item.authors.isEmpty ? [item.author].compactMap(\.self) : item.authors).map(\.name),
            description: item.description, tags: item.tags, created: item.created, redaction: redaction)
        fields += [
            field("Xmp.dc.title", credit.title, .languages),
            field("Xmp.dc.creator", texts.authors, .list),
            field("Xmp.dc.description", texts.description, .languages),
            field("Xmp.dc.subject", texts.tags, .list),
            field("Xmp.dc.rights", credit.license, .languages),
            field("Xmp.xmpRights.UsageTerms", credit.license, .languages),
            field("Xmp.xmpRights.WebStatement", credit.licenseURL),
            field("Xmp.photoshop.Credit", credit.line),
            field("Xmp.photoshop.DateCreated", texts.created),
            field("Xmp.plus.Licensor[1]/plus:LicensorURL", item.page == nil ? nil : credit.page),
            field("Exif.Image.Artist", texts.authors.isEmpty ? nil : texts.authors.joined(separator: "; ")),
            field("Exif.Image.Copyright", credit.license),
            field("Exif.Image.ImageDescription", texts.description),
        ]
        if hasIPTC { fields += iptc(credit, texts) }
        return fields.compactMap(\.self)
    }

    /// An item's texts that its credit has not got, without any secret.
    private struct Texts {
        let authors: [String]
        let description: String?
        let tags: [String]
        let created: String?

        init(authors: [String], description: String?, tags: [String], created: String?, redaction: SecretRedaction?) {
            func clean(_ text: String) -> String { redaction?.redact(text) ?? text }
            self.authors = authors.map(clean)
            self.description = description.map(clean)
            self.tags = tags.map(clean)
            self.created = created
        }
    }

    private static func iptc(_ credit: Credit, _ texts: Texts) -> [EmbeddedField?] {
        // A year or a month alone cannot stand there.
        let day = texts.created.map { String($0.prefix(10)) }.flatMap { $0.utf8.count == 10 ? $0 : nil }
        return [
            field("Iptc.Application2.ObjectName", credit.title, limit: 64),
            field("Iptc.Application2.Byline", texts.authors, .list, limit: 32),
            field("Iptc.Application2.Caption", texts.description),
            field("Iptc.Application2.Keywords", texts.tags, .list, limit: 64),
            field("Iptc.Application2.DateCreated", day),
            field("Iptc.Application2.Copyright", credit.license, limit: 128),
            field("Iptc.Application2.Credit", credit.source, limit: 32),
            field("Iptc.Application2.Source", credit.source, limit: 32),
        ]
    }

    private static func field(
        _ tag: String, _ text: String?, _ kind: Kind = .plain, limit: Int = 2_000
    ) -> EmbeddedField? {
        field(tag, [text].compactMap(\.self), kind, limit: limit)
    }

    private static func field(_ tag: String, _ texts: [String], _ kind: Kind, limit: Int = 2_000) -> EmbeddedField? {
        let values = texts.compactMap { value($0, limit: limit) }
        return values.isEmpty ? nil : EmbeddedField(tag: tag, values: values, kind: kind)
    }

    /// A value that XML can hold, cut at a character; nil for none.
    private static func value(_ text: String, limit: Int) -> String? {
        var clean = ""
        for character in text {
            let isControl = character.unicodeScalars.contains { $0.properties.generalCategory == .control }
            let kept = isControl ? " " : character
            guard clean.utf8.count + String(kept).utf8.count <= limit else { break }
            clean.append(kept)
        }
        clean = clean.trimmingSpaces
        return clean.isEmpty ? nil : clean
    }

    /// Calls `body` with the fields as C has them.
    static func withFields<Result>(
        _ fields: [EmbeddedField], _ body: (UnsafePointer<cmetadata_field>, Int) -> Result
    ) -> Result {
        var texts: [UnsafeMutablePointer<CChar>?] = []
        var lists: [UnsafeMutablePointer<UnsafePointer<CChar>?>] = []
        defer {
            for text in texts { free(text) }
            for list in lists { list.deallocate() }
        }
        let all = fields.map { field in
            let values = field.values.map { strdup($0) }
            let tag = strdup(field.tag)
            texts += values + [tag]
            let list = UnsafeMutablePointer<UnsafePointer<CChar>?>.allocate(capacity: values.count + 1)
            list.initialize(repeating: nil, count: values.count + 1)
            for (place, value) in values.enumerated() { list[place] = UnsafePointer(value) }
            lists.append(list)
            return cmetadata_field(tag: tag, values: list, kind: field.kind.forC)
        }
        return all.withUnsafeBufferPointer { buffer in
            guard let start = buffer.baseAddress else { preconditionFailure("there is always a source to write") }
            return body(start, buffer.count)
        }
    }
}

extension EmbeddedField.Kind {
    fileprivate var forC: cmetadata_kind {
        switch self {
        case .plain: CMETADATA_PLAIN
        case .languages: CMETADATA_LANGUAGES
        case .list: CMETADATA_LIST
        }
    }
}
