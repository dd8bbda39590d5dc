import Downloads
import FoundationEssentials
import ProviderModel

/// Writes files of the library as the images of a listing.
struct LibraryPresenter {
    let pictures: PictureAddresses

    /// Returns a file's JSON.
    func json(_ file: LibraryFile) -> JSONText {
        let item = item(of: file)
        var json = JSONWriter()
        item.write(to: &json) { json in
            json.member("ref", "library:\(LibraryFileID.text(of: file.path))")
            json.name("pictures")
            json.object { write(pictures: file, to: &$0) }
            if let credit = file.credit {
                let attribution = ItemAttribution(credit)
                json.name("attribution")
                json.object { json in
                    json.member("text", attribution.text)
                    json.member("html", attribution.html)
                    json.member("markdown", attribution.markdown)
                }
            }
            json.name("file")
            json.object { json in
                json.member("path", file.path)
                json.member("bytes", file.record.bytes)
                json.member("downloaded", Date(timeIntervalSince1970: Double(file.record.time)).ISO8601Format())
            }
        }
        return JSONText(validated: json.text)
    }

    private func item(of file: LibraryFile) -> Item {
        let credit = file.credit
        let key = file.record.key
        // What its key says stands in where no credits were written.
        let reference = key.itemReference.split(separator: ":", maxSplits: 1).map(String.init)
        let named = key.isBareURL ? nil : reference.first.flatMap { ProviderID($0) }
        let provider = credit?.provider.flatMap { ProviderID($0) } ?? named ?? Self.unknown
        let id = credit?.id ?? (named == nil ? key.itemReference : reference.last ?? "")
        var item = Item(provider: provider, id: id, type: file.format?.kind == .video ? .video : .image)
        item.title = credit?.title ?? file.path.split(separator: "/").last.map(String.init)
        item.page = credit.flatMap { try? WebURL($0.page) }  // a page that is none is left out
        item.tags = credit?.tags ?? []
        item.created = credit?.created
        item.credit = credit?.line
        if let credit, let author = credit.author {
            item.author = Author(name: author, url: credit.authorURL.flatMap { try? WebURL($0) })
        }
        if let credit, let license = credit.licenseID {
            item.license = License(
                id: license, name: credit.license, url: credit.licenseURL.flatMap { try? WebURL($0) })
        }
        if let url = try? WebURL(file.record.url) {
            var media = Media(role: .original, url: url)
            media.type = file.format?.kind
            (media.width, media.height) = (file.size?.width, file.size?.height)
            (media.bytes, media.format) = (file.record.bytes, file.format?.rawValue)
            item.media = [media]
        }
        return item
    }

    /// Stands for the source of a file that was named by its URL.
    private static let unknown = ProviderID("web")!

    private func write(pictures file: LibraryFile, to json: inout JSONWriter) {
        guard let format = file.format?.rawValue else { return }
        let version = "\(file.record.time) \(file.record.bytes)"
        func member(_ name: String, isThumbnail: Bool = false) {
            json.name(name)
            json.object { json in
                json.member("url", pictures.path(ofFile: file.path, version: version, isThumbnail: isThumbnail))
                if !isThumbnail {
                    json.member("width", file.size?.width)
                    json.member("height", file.size?.height)
                }
            }
        }
        if FilmResponse.types[format] != nil {
            member("film")
        } else if PictureRoutes.formats.contains(format) {
            member("thumbnail", isThumbnail: true)
            member("full")
        }
    }
}

/// A file's path as a part of an address.
enum LibraryFileID {
    static func text(of path: String) -> String {
        Data(path.utf8).base64EncodedString().replacing("+", with: "-").replacing("/", with: "_")
            .replacing("=", with: "")
    }

    static func path(of text: String) -> String? {
        let standard = text.replacing("-", with: "+").replacing("_", with: "/")
        let padding = String(repeating: "=", count: (4 - standard.utf8.count % 4) % 4)
        return Data(base64Encoded: standard + padding).flatMap { String(validating: $0, as: UTF8.self) }
    }
}
