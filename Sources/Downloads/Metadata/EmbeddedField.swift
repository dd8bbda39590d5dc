import CMetadata
import Glibc
import ProviderModel

/// One value as it stands inside an image.
struct EmbeddedField: Hashable {
    enum Kind {
        case plain
        /// A text that may be there in several languages.
        case languages
        case list
    }

    let tag: String
    let value: String
    let kind: Kind

    /// Where title, author, licence and source belong: IPTC Photo Metadata 2023.2, and what Google's image search reads
    /// ("Image license metadata").
    ///
    /// IPTC's older form has its own, short, texts.
    static func fields(for request: DownloadRequest, from media: Media, hasIPTC: Bool) -> [EmbeddedField] {
        let credit = Credit(request, from: media)
        var fields: [EmbeddedField?] = [field("Xmp.photoshop.Source", credit.page)]
        guard request.item != nil else { return fields.compactMap(\.self) }
        fields += [
            field("Xmp.dc.title", credit.title, .languages),
            field("Xmp.dc.creator", credit.author, .list),
            field("Xmp.dc.rights", credit.license, .languages),
            field("Xmp.xmpRights.UsageTerms", credit.license, .languages),
            field("Xmp.xmpRights.WebStatement", credit.licenseURL),
            field("Xmp.photoshop.Credit", credit.line),
            field("Xmp.plus.Licensor[1]/plus:LicensorURL", request.item?.page == nil ? nil : credit.page),
        ]
        if hasIPTC { fields += iptc(credit) }
        return fields.compactMap(\.self)
    }

    private static func iptc(_ credit: Credit) -> [EmbeddedField?] {
        [
            // ISO 2022's word for UTF-8 comes before the texts that are in it.
            EmbeddedField(tag: "Iptc.Envelope.CharacterSet", value: "\u{1b}%G", kind: .plain),
            field("Iptc.Application2.ObjectName", credit.title, limit: 64),
            field("Iptc.Application2.Byline", credit.author, limit: 32),
            field("Iptc.Application2.Copyright", credit.license, limit: 128),
            field("Iptc.Application2.Credit", credit.source, limit: 32),
            field("Iptc.Application2.Source", credit.source, limit: 32),
        ]
    }

    /// A value that XML can hold, cut at a character; nil for none.
    private static func field(
        _ tag: String, _ text: String?, _ kind: Kind = .plain, limit: Int = 2_000
    ) -> EmbeddedField? {
        guard let text else { return nil }
        var clean = ""
        for character in text {
            let isControl = character.unicodeScalars.contains { $0.properties.generalCategory == .control }
            let kept = isControl ? " " : character
            guard clean.utf8.count + String(kept).utf8.count <= limit else { break }
            clean.append(kept)
        }
        clean = clean.trimmingSpaces
        return clean.isEmpty ? nil : EmbeddedField(tag: tag, value: clean, kind: kind)
    }

    /// Calls `body` with the fields as C has them.
    static func withFields<Result>(
        _ fields: [EmbeddedField], _ body: (UnsafePointer<cmetadata_field>, Int) -> Result
    ) -> Result {
        let texts = fields.map { (strdup($0.tag), strdup($0.value)) }
        defer { for text in texts.flatMap({ [$0.0, $0.1] }) { free(text) } }
        let all = zip(fields, texts).map { field, text in
            cmetadata_field(tag: text.0, value: text.1, kind: field.kind.forC)
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
