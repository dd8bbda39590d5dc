import ProviderModel

/// An XMP packet in a file of its own beside an image (ISO 16684-1), with the fields that are written into images.
///
/// Photo libraries look for some of them elsewhere: Immich and digiKam for the tags in `digiKam:TagsList`, most for the date in
/// `exif:DateTimeOriginal`.
struct XMPPacket {
    private let fields: [EmbeddedField]

    init(_ request: DownloadRequest, from media: Media) {
        let fields = EmbeddedField.fields(for: request, from: media, hasIPTC: false)
        let copies = fields.compactMap { field in
            Self.copies[field.tag].map { EmbeddedField(tag: $0, values: field.values, kind: field.kind) }
        }
        self.fields = (fields + copies).filter { $0.tag.hasPrefix("Xmp.") }
    }

    /// The fields whose values have a second place, with that.
    private static let copies = [
        "Xmp.dc.subject": "Xmp.digiKam.TagsList", "Xmp.photoshop.DateCreated": "Xmp.exif.DateTimeOriginal",
    ]

    private static let namespaces = [
        ("dc", "http://purl.org/dc/elements/1.1/"), ("digiKam", "http://www.digikam.org/ns/1.0/"),
        ("exif", "http://ns.adobe.com/exif/1.0/"), ("photoshop", "http://ns.adobe.com/photoshop/1.0/"),
        ("plus", "http://ns.useplus.org/ldf/xmp/1.0/"), ("xmpRights", "http://ns.adobe.com/xap/1.0/rights/"),
    ]

    /// The text in UTF-8.
    var bytes: [UInt8] {
        let names = Self.namespaces.map { "    xmlns:\($0)=\"\($1)\"" }.joined(separator: "\n")
        let text = """
            <?xpacket begin="\u{feff}" id="W5M0MpCehiHzreSzNTczkc9d"?>
            <x:xmpmeta xmlns:x="adobe:ns:meta/">
             <rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
              <rdf:Description rdf:about=""
            \(names)>
            \(fields.map(Self.element).joined(separator: "\n"))
              </rdf:Description>
             </rdf:RDF>
            </x:xmpmeta>
            <?xpacket end="w"?>

            """
        return Array(text.utf8)
    }

    private static func element(_ field: EmbeddedField) -> String {
        // A part of a structure in a list: `Xmp.plus.Licensor[1]/plus:LicensorURL`.
        if let part = field.tag.firstRange(of: "[1]/") {
            let (list, name) = (qualified(field.tag[..<part.lowerBound]), field.tag[part.upperBound...])
            let value = "<\(name)>\(escaped(field.values[0]))</\(name)>"
            return element(list, "<rdf:Seq><rdf:li rdf:parseType=\"Resource\">\(value)</rdf:li></rdf:Seq>")
        }
        let name = qualified(field.tag[...])
        let values = field.values.map(escaped)
        switch field.kind {
        case .plain: return element(name, values[0])
        case .languages:
            return element(name, "<rdf:Alt><rdf:li xml:lang=\"x-default\">\(values[0])</rdf:li></rdf:Alt>")
        case .list:
            let container = name == "dc:subject" ? "rdf:Bag" : "rdf:Seq"
            let items = values.map { "<rdf:li>\($0)</rdf:li>" }.joined()
            return element(name, "<\(container)>\(items)</\(container)>")
        }
    }

    private static func element(_ name: String, _ content: String) -> String { "   <\(name)>\(content)</\(name)>" }

    /// `dc:title` of `Xmp.dc.title`.
    private static func qualified(_ tag: Substring) -> String {
        tag.dropFirst("Xmp.".count).split(separator: ".", maxSplits: 1).joined(separator: ":")
    }

    private static func escaped(_ text: String) -> String {
        text.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
    }
}
