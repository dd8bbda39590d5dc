import ProviderModel

/// The files of an item, as far as an answer shows: which field is the original and which the thumbnail, and their sizes.
struct MediaMapping: Sendable {
    /// One file.
    struct File: Sendable {
        var role: Media.Role
        let url: ItemField
        var width: ItemField?
        var height: ItemField?
        var bytes: ItemField?
        /// Whether the URL is that of a IIIF image's information, beside which the image itself is.
        var isInformation = false
    }

    /// A list with an image in each of its elements, which has files of its own.
    struct ImageList: Sendable {
        /// The path to an element.
        let element: FieldPath
        /// The fields of the elements.
        let fields: ItemFields
    }

    /// The list that the files stand in, where items have several images; nil where each has one.
    private(set) var list: ImageList?
    /// Fields with URLs that have gaps to fill in.
    private(set) var templates: [ItemField] = []

    /// From the original to the thumbnail, at most one of each.
    private(set) var files: [File] = []

    /// The hosts of the files, as `mediaHosts` has them.
    var hosts: [String] { Self.patterns(for: files.flatMap { $0.url.values.compactMap(\.webURL) }) }

    init(of fields: ItemFields) {
        templates = fields.all.filter { $0.texts.contains { $0.hasPrefix("http") && $0.contains(/\{\w*\}/) } }
        let gaps = Set(templates.map(\.path))
        var candidates = fields.all.filter { LinkKind($0) == .image && !gaps.contains($0.path) }
        // Crops for other sites to show, unless there is nothing else.
        let whole = candidates.filter { !$0.isShareCrop }
        if !whole.isEmpty { candidates = whole }
        // An image of something else: of the taxon, of the album, of a comment.
        let nearest = candidates.map(\.strangeness).min() ?? 0
        candidates = candidates.filter { $0.strangeness <= nearest }
        let common = candidates.map(\.count).max() ?? 0
        candidates = candidates.filter { $0.count * 4 >= common }
        let numbers = fields.all.filter { $0.isCount && $0.strangeness <= nearest }
        var sized = candidates.map { field in
            let size = SizeFields(
                of: field, among: numbers, isAlone: candidates.count { $0.path.parent == field.path.parent } == 1)
            return File(role: .original, url: field, width: size.width, height: size.height)
        }
        for index in sized.indices {
            sized[index].role = RoleWords(sized[index].url, width: sized[index].shownWidth).role
        }
        choose(from: sized)
        addInformation(among: fields)
        addGeneralSize(among: numbers)
    }

    /// Finds the list that the files stand in; one of sizes of an image has no ids.
    mutating func findList(in items: [JSONValue], at base: WebURL) {
        guard let best = files.first(where: { $0.url.isOfMany })?.url.path,
            let index = best.steps.lastIndex(where: \.isIntoList)
        else { return }
        let element = FieldPath(Array(best.steps[...index])), container = element.parent
        let all = items.flatMap { item -> [JSONValue] in
            let elements = container.value(in: item)?.elements ?? []
            guard case .matching(let name, let text) = best.steps[index] else { return elements }
            return elements.filter { $0[name] == .text(text) }
        }
        let isNamed = NameWords(container.name).contains(anyOf: ["images", "photos", "pictures"])
        let haveIDs = !all.isEmpty && all.allSatisfy { $0["id"] ?? $0["uuid"] ?? $0["pid"] != nil }
        guard haveIDs || isNamed && all.allSatisfy({ $0.textValue != nil }),
            !container.steps.contains(where: \.isIntoList)
        else { return }
        list = ImageList(element: element, fields: ItemFields(of: all, named: container.name, at: base))
        files.removeAll { !$0.url.path.steps.starts(with: element.steps) }
    }

    /// The largest form of a IIIF image: https://iiif.io/api/image/3.0/#4-image-requests.
    private mutating func addInformation(among fields: ItemFields) {
        guard !files.contains(where: { $0.role == .original }),
            let field = fields.all.first(where: { field in
                let urls = field.values.compactMap(\.webURL)
                return !urls.isEmpty && urls.allSatisfy { $0.path.hasSuffix("/info.json") }
            })
        else { return }
        files.insert(File(role: .original, url: field, isInformation: true), at: 0)
    }

    /// For each role the file that most items have, then the widest, then the one named best.
    private mutating func choose(from sized: [File]) {
        var rest: [File] = []
        for role in Media.Role.allCases {
            let ranked = sized.filter { $0.role == role }.sorted { $0.rank > $1.rank }
            guard let best = ranked.first else { continue }
            files.append(best)
            rest += ranked.dropFirst()
        }
        // A second original is a large one, where there is none yet.
        if !files.contains(where: { $0.role == .large }), var next = rest.first(where: { $0.role == .original }),
            Set(next.url.texts) != Set(files.first?.url.texts ?? [])
        {
            next.role = .large
            files.append(next)
        }
        files.sort { Self.order($0.role) < Self.order($1.role) }
    }

    /// Sizes that stand beside no URL are those of the original, or of the largest there is.
    private mutating func addGeneralSize(among numbers: [ItemField]) {
        guard !files.isEmpty else { return }
        if files[0].width == nil, [.original, .large].contains(files[0].role) {
            let size = SizeFields(general: numbers)
            let taken = files.compactMap { $0.width?.path }
            if let width = size.width, !taken.contains(width.path) {
                (files[0].width, files[0].height) = (size.width, size.height)
            }
        }
        if files[0].role == .original {
            let near = files[0].url.path.parent
            files[0].bytes =
                numbers.filter {
                    ["filesize", "bytes", "imagesize", "originalsize", "filesizebytes"].contains($0.key)
                        || $0.key == "size" && $0.path.parent == near
                }
                .filter { $0.values.allSatisfy { ($0.positiveNumber ?? 0) > 500 } }.min { $0.depth < $1.depth }
        }
    }

    private static func order(_ role: Media.Role) -> Int { Media.Role.allCases.firstIndex(of: role) ?? 0 }

    /// Hosts, with `*.` where several of one domain occur, and `*` where they are all over the web.
    static func patterns(for urls: [WebURL]) -> [String] {
        var hosts: [String] = []
        for url in urls {
            let host = url.scheme == .http ? "http://\(url.authority)" : url.authority
            if !hosts.contains(host) { hosts.append(host) }
        }
        guard hosts.count > 3 else { return hosts }
        let domains = Dictionary(grouping: hosts) { host in
            host.split(separator: ".").suffix(2).joined(separator: ".")
        }
        // The star admits https alone.
        if domains.count > 3 { return ["*"] + hosts.filter { $0.hasPrefix("http://") } }
        return domains.sorted { $0.key < $1.key }.flatMap { domain, hosts -> [String] in
            guard hosts.count > 2 else { return hosts.sorted() }
            return [(hosts.contains { $0.hasPrefix("http://") } ? "http://*." : "*.") + domain]
        }
    }
}

// MARK: - Order

extension MediaMapping.File {
    /// The width according to its field, its name or its URLs.
    var shownWidth: Double? {
        if let width { return width.values.compactMap(\.positiveNumber).max() }
        // `artworkUrl100`, `image_480`.
        return url.words.words.compactMap { Double($0) }.first { (16...8_000).contains($0) }
    }

    /// What decides between files of one role.
    fileprivate var rank: (Int, Int, Int, Double, Int) {
        // Stills and other forms of a file stand behind the file.
        let forms = url.allWords.count { ["still", "webp", "mp4", "looping", "avif"].contains($0) }

        let names = [
            "original", "orig", "raw", "source", "max", "image", "full", "hdurl", "file", "download", "thumb",
            "thumbnail",
        ]
        let named = names.firstIndex { url.words.words.contains($0) }.map { names.count - $0 } ?? 0
        return (url.count, -forms, role == .original ? named : 0, shownWidth ?? 0, -url.depth)
    }
}

extension ItemField {
    /// Whether it is for showing a link to the item: `og:image`, `pinterestImage`.
    fileprivate var isShareCrop: Bool {
        words.contains(anyOf: [
            "og", "opengraph", "pinterest", "facebook", "twitter", "google", "teaser", "share", "sharing", "social",
        ])
    }

    /// How far the names lead away from the item itself.
    fileprivate var strangeness: Int {
        let strange: Set<String> = [
            "taxon", "album", "comment", "comments", "related", "parent", "category", "reblog", "card",
            "identifications", "artists", "banner", "header", "studio", "alternate", "alternates", "daily", "trailer",
            "tags", "tag",
        ]
        return allWords.count { strange.contains($0) }
    }
}

// MARK: - Roles

/// The role that a field's names, or its width, stand for.
struct RoleWords {
    let role: Media.Role

    private static let words: [(Media.Role, Set<String>)] = [
        (
            .thumbnail,
            [
                "thumb", "thumbnail", "thumbs", "thumbnails", "tiny", "square", "sq", "mini", "xs", "nano", "t", "icon",
                "micro",
            ]
        ),
        (.small, ["small", "sm", "low", "n", "s", "q", "downsized"]),
        (.regular, ["regular", "medium", "med", "webformat", "web", "display", "sample", "m", "z", "normal", "view"]),
        (.large, ["large", "big", "l", "c", "b", "h", "k", "xl", "hd", "high", "print", "jpeg", "huge", "extra"]),
        (.original, ["original", "orig", "full", "raw", "o", "source", "max", "master", "fullhd", "hdurl"]),
    ]

    init(_ field: ItemField, width: Double?) {
        let own = field.words.words
        let names = field.values.compactMap(\.webURL).map {
            NameWords(String($0.path.split(separator: "/").last ?? ""))
        }
        // A word of the field's own name says more than one of what it stands in; the nearest container comes next.
        let isPlain = own.allSatisfy { SizeFields.urlWords.contains($0) }
        for words in [isPlain ? [] : own] + field.path.parent.names.reversed().map({ NameWords($0).words }) {
            if let role = Self.role(of: words) {
                self.role = role
                return
            }
        }
        let sizes = Set(field.values.compactMap { $0.webURL?.queryItems.first { $0.name == "size" }?.value })
        if sizes.count == 1, let role = Self.role(of: NameWords(sizes.first ?? "").words) {
            self.role = role
        } else if field.isShareCrop {
            role = .regular
        } else if !names.isEmpty, names.allSatisfy({ $0.contains(anyOf: ["thumb", "thumbnail"]) }) {
            role = .thumbnail
        } else if own.contains("preview") || field.allWords.contains("preview") {
            role = (width ?? 0) > 400 ? .regular : .thumbnail
        } else if let width, width <= 1_100, !own.isEmpty, own.contains(where: { Double($0) != nil }) {
            role = width <= 250 ? .thumbnail : width <= 500 ? .small : .regular
        } else {
            role = .original
        }
    }

    private static func role(of names: [String]) -> Media.Role? {
        // `large` in `largeImageURL` counts, `image` and `url` do not; of several the first that means something.
        for (role, words) in words where names.contains(where: { words.contains($0) && $0.count > 2 }) { return role }
        // Single letters mean a size only where they stand alone beside "url".
        guard names.count <= 2, names.contains(where: { $0.count == 1 }) else { return nil }
        for (role, words) in words where names.contains(where: { words.contains($0) }) { return role }
        return nil
    }
}

// MARK: - Sizes

/// The fields that hold an image's width and height.
struct SizeFields {
    private(set) var width: ItemField?
    private(set) var height: ItemField?

    static let urlWords: Set<String> = ["url", "uri", "src", "href", "link", "path", "source"]

    /// Those that belong to one URL: beside it, and alone or with the rest of its name.
    init(of url: ItemField, among numbers: [ItemField], isAlone: Bool) {
        let beside = numbers.filter { $0.path.parent == url.path.parent }
        let stem = url.words.words.filter { !Self.urlWords.contains($0) }
        for stem in stem.isEmpty
            ? [stem] : [stem, isAlone && !url.path.parent.steps.isEmpty && url.path.parent.name != "data" ? [] : stem]
        {
            width = Self.field(named: ["width", "w"], stem, in: beside)
            height = Self.field(named: ["height", "h"], stem, in: beside)
            if width != nil, height != nil { return }
        }
        (width, height) = (nil, nil)
    }

    /// Those of the item as a whole.
    init(general numbers: [ItemField]) {
        let stems = [
            [], ["image"], ["original"], ["o"], ["full"], ["media"], ["photo"], ["file"], ["img"], ["dimension"],
            ["pixel"],
        ]
        let plain = numbers.filter {
            Set($0.allWords).isDisjoint(with: [
                "thumb", "thumbnail", "small", "medium", "preview", "sample", "avatar", "tn",
            ])
        }
        for field in plain.sorted(by: { $0.depth < $1.depth }) {
            let beside = plain.filter { $0.path.parent == field.path.parent }
            for stem in stems {
                let names = stem == ["dimension"] ? (["x"], ["y"]) : (["width", "w"], ["height", "h"])
                width = Self.field(named: names.0, stem, in: beside)
                height = Self.field(named: names.1, stem, in: beside)
                if width != nil, height != nil { return }
            }
        }
        (width, height) = (nil, nil)
    }

    private static func field(named names: [String], _ stem: [String], in fields: [ItemField]) -> ItemField? {
        let forms = names.flatMap { [(stem + [$0]).joined(), ([$0] + stem).joined()] }
        return forms.lazy.compactMap { form in fields.first { $0.key == form } }.first
    }
}
