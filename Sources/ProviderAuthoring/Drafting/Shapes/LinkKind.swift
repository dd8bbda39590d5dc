import ProviderModel

/// What a field with URLs links to, by its names and by what stands in it.
enum LinkKind: Hashable, Sendable {
    /// An image's file.
    case image
    /// A web page.
    case page
    /// A person, or a person's portrait.
    case person
    /// Anything else: films, other answers of the API, licences.
    case other

    private static let people: Set<String> = [
        "user", "author", "avatar", "profile", "owner", "artist", "photographer", "uploader", "account", "creator",
        "contributor", "sponsor", "logo", "icon", "badge", "member", "maker", "favicon", "bio", "submitter", "emoji",
        "emojis", "portfolio", "social", "usericon", "giver",
    ]
    private static let others: Set<String> = [
        "api", "self", "json", "xml", "license", "licence", "rights", "video", "mp4", "webm", "audio", "iiif",
        "manifest",
        "related", "tracking", "html5", "embed", "oembed", "collection", "collections", "next", "prev", "sound",
        "model", "dash", "hls", "hdurl2", "citation", "citations", "taxon", "ancestors",
    ]
    static let images: Set<String> = [
        "img", "image", "images", "thumb", "thumbs", "thumbnail", "thumbnails", "photo", "photos", "picture",
        "pictures",
        "preview", "src", "full", "raw", "small", "medium", "large", "regular", "original", "file", "urls", "sizes",
        "media", "display", "sample", "artwork", "cover", "poster", "web", "webformat", "tiny", "square", "print",
        "rendition", "renditions", "representations", "asset", "edmpreview", "edmisshownby", "path", "hdurl", "static",
        "banner", "attachments",
    ]
    private static let pages: Set<String> = [
        "page", "html", "link", "links", "permalink", "website", "homepage", "site", "href", "post", "short", "detail",
        "view", "landing", "object", "edmisshownat", "guid", "weburl", "canonical", "public",
    ]
    private static let imageEndings: Set<String> = [
        "jpg", "jpeg", "png", "gif", "webp", "avif", "svg", "tif", "tiff", "jp2", "bmp", "jfif", "heic", "ico",
    ]
    private static let otherEndings: Set<String> = [
        "mp4", "webm", "mov", "m4v", "mp3", "ogg", "ogv", "swf", "pdf", "json", "xml", "zip", "m3u8", "txt", "wav",
    ]

    /// Whether a path ends as an image's file does.
    static func isImageFile(_ path: String) -> Bool {
        let name = path.prefix { $0 != "?" && $0 != "#" }
        return name.lastIndex(of: ".").map { imageEndings.contains(name[name.index(after: $0)...].lowercased()) }
            ?? false
    }

    /// The kind of a field's links; nil where its values are not URLs.
    init?(_ field: ItemField) {
        let urls = field.values.compactMap(\.webURL)
        guard !urls.isEmpty, urls.count * 2 > field.values.count else { return nil }
        let endings = urls.map(\.fileEnding)
        let files = endings.count { Self.imageEndings.contains($0) }
        let all = Set(field.allWords), own = Set(field.words.words)
        // A path says nothing of its server: that which answered stands in for it.
        let isAnswer = urls.allSatisfy { field.isRelative ? $0.path.hasPrefix("/api/") : $0.host.hasPrefix("api.") }
        if isAnswer && files == 0 || own.contains("iiif") {
            self = .other
        } else if endings.contains(where: { Self.otherEndings.contains($0) }) && files == 0 {
            self = .other
        } else if !all.isDisjoint(with: Self.people) {
            self = .person
        } else if field.depth == 0 && own == ["source"] {
            // Where the image was found, not the image.
            self = .other
        } else if !own.isDisjoint(with: Self.others) && own.isDisjoint(with: Self.images) {
            self = .other
        } else if files * 2 > urls.count {
            self = own.isDisjoint(with: ["page", "html", "descriptionurl", "descriptionshorturl"]) ? .image : .page
        } else if !own.isDisjoint(with: ["page", "html", "permalink", "post", "descriptionurl"]) {
            self = .page
        } else if !own.subtracting(["path", "file", "web"]).isDisjoint(with: Self.images)
            || own.contains("download") && urls.allSatisfy({ $0.path.contains { $0.isNumber } })
                && all.isDisjoint(with: ["links", "location"])
        {
            self = .image
        } else if !all.isDisjoint(with: Self.others) {
            self = .other
        } else if !own.isDisjoint(with: ["url", "src", "uri"])
            && !all.subtracting(own).subtracting(["path", "file"]).isDisjoint(with: Self.images)
        {
            self = .image
        } else {
            self = own.isDisjoint(with: Self.pages.union(["url", "uri", "web", "id"])) ? .other : .page
        }
    }
}

extension WebURL {
    /// The letters after the path's last point, in lower case.
    var fileEnding: String {
        let name = path.split(separator: "/").last ?? ""
        guard let point = name.lastIndex(of: ".") else { return "" }
        return name[name.index(after: point)...].lowercased()
    }
}
