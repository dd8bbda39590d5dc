import ProviderModel

/// Finds among the fields of items those that stand for a field of the contract, by their names and by what they hold.
struct FieldFinder {
    let fields: ItemFields

    private static let people: Set<String> = [
        "user", "author", "avatar", "profile", "owner", "artist", "photographer", "uploader", "account", "creator",
        "contributor", "sponsor", "maker", "giver", "provenance", "creators", "artists", "users", "by", "collection",
        "album", "license", "licence", "rights", "copyright", "category", "globalusage",
        "location", "camera", "exif", "studio", "studios", "taxon", "identifications", "comments",
    ]

    /// The fields of the item itself, not of people and groups it belongs to.
    private var own: [ItemField] {
        fields.all.filter { field in
            field.path.parent.names.allSatisfy { !NameWords($0).contains(anyOf: Self.people) }
        }
    }

    /// The best of these fields by the order of `names`; then by how many items have it, then by depth.
    private func best(_ names: [String], in candidates: [ItemField], where isFit: (ItemField) -> Bool) -> [ItemField] {
        let ranked = candidates.compactMap { field -> (field: ItemField, rank: Int)? in
            let rank = names.firstIndex(of: field.key) ?? names.firstIndex(of: Self.keyOfContainer(field))
            guard let rank, isFit(field) else { return nil }
            return (
                field,
                rank * 2 + field.depth * 3 + (field.count * 2 < fields.itemCount ? 20 : 0) + (field.isOfMany ? 12 : 0)
            )
        }
        return ranked.sorted { $0.rank < $1.rank }.map(\.field)
    }

    /// The container's name where the own one says nothing: `title.rendered`, `description._content`.
    private static func keyOfContainer(_ field: ItemField) -> String {
        let neutral: Set<String> = [
            "rendered", "text", "value", "content", "english", "en", "romaji", "def", "plain", "label",
        ]
        guard neutral.contains(field.key), let name = field.path.parent.names.last else { return "" }
        return NameWords(name).joined
    }

    // MARK: Identity

    /// What identifies an item.
    var id: ItemField? {
        let candidates = own.filter { field in
            field.isCertain && field.path.steps.allSatisfy { $0 != .first || fields.itemCount >= 1 }
                && field.values.allSatisfy { $0.textValue?.isEmpty == false || $0.integerValue != nil }
                // A service may well repeat an item on a page.
                && Set(field.values).count * 10 >= field.values.count * 9
        }
        let exact = best(
            [
                "id", "uuid", "guid", "pid", "identifier", "foreignidentifier", "systemnumber", "objectnumber",
                "accessionnumber", "key", "shortcode", "slug", "hash", "md5",
            ], in: candidates
        ) { _ in true }
        let others = candidates.filter { field in
            field.words.words.last == "id"
                && !field.words.contains(anyOf: Self.people.union(["parent", "set", "session", "client"]))
                || field.words.words.count == 1 && field.key.hasSuffix("id") && field.key.count > 4
        }.sorted { $0.depth < $1.depth }
        let weak: Set<String> = ["slug", "hash", "md5", "key", "objectnumber", "accessionnumber"]
        let first = exact.first { $0.depth == 0 && !weak.contains($0.key) }
        return first ?? others.first { $0.depth <= 1 } ?? exact.first { LinkKind($0) == nil && $0.depth <= 2 }
    }

    // MARK: Texts

    /// The title, then what stands for it where it is missing.
    var title: [ItemField] {
        best(
            [
                "title", "primarytitle", "headline", "name", "caption", "displaytitle", "trackname", "speciesguess",
                "label", "alttext", "alt", "description", "altdescription", "summary", "texttitle",
            ],
            in: own
        ) {
            !$0.isOfMany && $0.values.allSatisfy { $0.textValue != nil } && LinkKind($0) == nil
                && $0.texts.contains { !$0.isEmpty } && $0.texts.allSatisfy { $0.count < 1_000 }
                && !isName(in: $0)
        }
    }

    /// Whether a field repeats what identifies the items: a slug is no title.
    private func isName(in field: ItemField) -> Bool {
        fields.all.contains {
            $0.depth == 0 && ["id", "slug", "uuid", "identifier", "key"].contains($0.key) && $0.values == field.values
        }
    }

    func description(besides title: ItemField?) -> ItemField? {
        best(
            [
                "description", "caption", "explanation", "summary", "abstract", "body", "content", "altdescription",
                "longdescription", "comment", "text", "objectsummary", "physicaldescription", "contentdescription",
            ], in: own
        ) {
            !$0.isOfMany && $0.values.allSatisfy { $0.textValue != nil } && LinkKind($0) == nil
                && $0.path != title?.path && $0.texts.contains { !$0.isEmpty }
        }.first
    }

    /// The web page of the item.
    var page: ItemField? {
        let candidates = own.filter { LinkKind($0) == .page }
        let named = best(
            [
                "pageurl", "page", "descriptionurl", "foreignlandingurl", "html", "htmlurl", "permalink", "weburl",
                "webpage", "link", "links", "url", "siteurl", "posturl", "detailurl", "objecturl", "landingurl",
                "edmisshownat", "guid", "contextlink", "shorturl", "uri", "href",
            ],
            in: candidates
        ) { !$0.isOfMany }
        return named.first ?? candidates.min { $0.depth < $1.depth }
    }

    /// The tags, in whatever form.
    var tags: ItemField? {
        best(
            [
                "tags", "keywords", "popularkeywords", "tagstring", "taglist", "tagnames", "subjects", "subject",
                "labels", "tag", "tagged", "categories", "terms", "wpterm",
            ], in: own
        ) { field in
            if field.values.contains(where: { $0.elements?.isEmpty == false }) {
                let list = field.leaves
                return !list.isEmpty && list.allSatisfy { $0.textValue != nil } || tagText(in: field) != nil
            }
            return field.values.allSatisfy { $0.textValue != nil } && LinkKind(field) == nil
                && field.texts.contains { !$0.isEmpty }
        }.first
    }

    /// The member that names a tag, where tags are objects.
    func tagText(in field: ItemField) -> String? {
        let objects = field.leaves
        guard !objects.isEmpty, objects.allSatisfy({ $0.members != nil }) else { return nil }
        return ["title", "name", "tag", "label", "value", "text", "term"].first { name in
            objects.allSatisfy { $0[name]?.textValue != nil }
        }
    }

    // MARK: Rights

    private static var freeLicenses: Regex<(Substring, Substring?, Substring?)> {
        /creativecommons\.org|rightsstatements\.org|^cc[ -]?(0|by|pd)|^by(-|$)|^pdm$|^public ?domain$/.ignoresCase()
    }

    /// A licence that the helper `license` knows.
    var license: ItemField? {
        let candidates = fields.all.filter { field in
            !Set(field.allWords).isDisjoint(with: ["license", "licence", "licenseurl", "rights", "copyright"])
                && field.texts.contains { $0.firstMatch(of: Self.freeLicenses) != nil }
                && Set(field.allWords).isDisjoint(with: ["version"])
        }
        // A URL says the version, too.
        return candidates.min { rank(ofLicense: $0) < rank(ofLicense: $1) }
    }

    private func rank(ofLicense field: ItemField) -> Int {
        (field.values.contains { $0.webURL != nil } ? 0 : 2) + field.depth * 4 + (field.isCertain ? 0 : 1)
    }

    /// The version beside a licence that is only a code.
    var licenseVersion: ItemField? {
        guard let license, !license.values.contains(where: { $0.webURL != nil }) else { return nil }
        return fields.all.first {
            $0.path.parent == license.path.parent && ["licenseversion", "licenceversion"].contains($0.key)
        }
    }

    // MARK: Numbers and dates

    /// When it was made or published.
    var created: ItemField? {
        best(
            [
                "createdat", "createdutc", "created", "createdon", "datecreated", "createddate", "taken", "takenat",
                "takenon", "datetaken", "capturedat", "photographedat", "datetimeoriginal", "publishedat", "published",
                "publishdate", "publisheddate", "datepublished", "publicationdate", "pubdate", "observedon",
                "timeobservedat", "uploadedat", "uploaded", "dateupload", "createdutc", "creationdate", "addeddate",
                "added", "dateadded", "indexed", "postedat", "timestamp", "datetime", "date", "releasedate",
                "publishedtime", "dateuploaded", "shoton", "shotat", "shotdate", "dateshot", "capturedon",
                "photographedon",
                "madeon", "publishedon", "postedon", "uploadedon", "addedon",
            ],
            in: own
        ) { $0.values.allSatisfy(\.isDate) }.first
    }

    /// The main colour, or colours.
    var color: ItemField? {
        func isColor(_ value: JSONValue) -> Bool {
            value.textValue.map { $0.utf8.count == 7 && $0.hasPrefix("#") && $0.dropFirst().allSatisfy(\.isHexDigit) }
                ?? false
        }
        return best(["color", "colors", "dominantcolor", "avgcolor", "averagecolor", "colour", "colours"], in: own) {
            field in
            field.values.allSatisfy { value in
                value.elements.map { !$0.isEmpty && $0.allSatisfy(isColor) } ?? isColor(value)
            }
        }.first
    }

    /// Counts such as views and likes.
    var statistics: [(name: String, field: ItemField)] {
        let names = [
            ("views", ["views", "viewcount", "viewscount", "pageviews"]),
            ("downloads", ["downloads", "downloadcount", "downloadscount"]),
            ("likes", ["likes", "likecount", "likescount", "favoritecount"]),
            (
                "favorites",
                ["favorites", "favourites", "faves", "favcount", "favoritescount", "numfavorers", "favouritescount"]
            ),
            ("comments", ["comments", "commentcount", "numcomments", "commentscount"]), ("score", ["score", "points"]),
            ("upvotes", ["upvotes", "ups"]), ("shares", ["shares", "reblogscount"]),
        ]
        return names.compactMap { name, keys in
            let field = own.first { field in
                keys.contains(field.key) && field.depth <= 1
                    && field.values.allSatisfy { if case .number = $0 { true } else { false } }
            }
            return field.map { (name, $0) }
        }
    }

    /// Whether it is for grown-ups.
    var isSensitive: ItemField? {
        let keys = [
            "nsfw", "over18", "adult", "isadult", "mature", "ismature", "sensitive", "possiblysensitive", "explicit",
        ]
        return own.first { field in
            keys.contains(field.key) && field.values.allSatisfy { if case .boolean = $0 { true } else { false } }
        }
    }
}

extension JSONValue {
    /// Whether `parseDate` reads it.
    fileprivate var isDate: Bool {
        switch self {
        case .number(let literal): literal.prefix { $0 != "." }.count >= 9
        case .text(let text):
            text.firstMatch(of: /^\d{4}(-\d\d(-\d\d)?)?([T ]\d\d:\d\d|$)|^\d{9,13}$|^[A-Z][a-z]{2},? +.*\d{4}/) != nil
        default: false
        }
    }
}

extension FieldFinder {
    /// The author.
    struct AuthorFields: Sendable {
        let name: ItemField
        var id: ItemField?
        var url: ItemField?
    }

    private static let authors = [
        "photographer", "artist", "author", "creator", "user", "owner", "uploader", "account", "contributor", "by",
        "artists", "creators", "authors", "maker", "member",
    ]

    /// Its maker, by one field or by the fields of an object.
    var author: AuthorFields? {
        let names =
            Self.authors + Self.authors.flatMap { ["\($0)name", "\($0)displayname", "\($0)title"] } + [
                "username", "credit", "byline", "copyrightholder", "ownername", "principalorfirstmaker",
            ]
        let isName = { (field: ItemField) in
            field.values.allSatisfy { $0.textValue != nil } && LinkKind(field) == nil
                && field.texts.contains { !$0.isEmpty && $0.count < 300 }
        }
        let flat = fields.all.filter {
            names.contains($0.key) && ($0.depth <= 1 || $0.path.parent.names.count <= 1) && isName($0)
                && $0.path.parent.names.allSatisfy {
                    !["taxon", "comments", "related", "licence", "license"].contains($0)
                }
        }
        let inner = [
            "displayname", "fullname", "name", "realname", "username", "login", "acct", "title", "description",
            "nickname",
        ]
        let nested = fields.all.filter { field in
            guard let container = field.path.parent.names.last, NameWords(container).contains(anyOf: Set(Self.authors))
            else { return false }
            return inner.contains(field.key) && isName(field)
        }
        let nearest = nested.min {
            ($0.path.parent.steps.count, inner.firstIndex(of: $0.key) ?? 0) < (
                $1.path.parent.steps.count, inner.firstIndex(of: $1.key) ?? 0
            )
        }
        let named = flat.min {
            ($0.count == fields.itemCount ? 0 : 1, names.firstIndex(of: $0.key) ?? 0) < (
                $1.count == fields.itemCount ? 0 : 1, names.firstIndex(of: $1.key) ?? 0
            )
        }
        if let named, nearest == nil || named.count > nearest?.count ?? 0 { return flatAuthor(named) }
        return nearest.map(nestedAuthor)
    }

    private func nestedAuthor(_ name: ItemField) -> AuthorFields {
        let beside = fields.all.filter {
            $0.path.parent == name.path.parent || $0.path.parent.parent == name.path.parent
        }
        let id = beside.first {
            ["id", "username", "login", "acct", "userid", "uuid", "slug"].contains($0.key) && $0.path != name.path
                && $0.values.allSatisfy { $0.textValue != nil || $0.integerValue != nil }
        }
        let urls = beside.filter { field in
            field.isCertain == name.isCertain && field.values.allSatisfy { $0.webURL != nil }
                && field.values.compactMap(\.webURL).allSatisfy {
                    $0.fileEnding.isEmpty || $0.fileEnding == "html" || $0.path == "/"
                        || !["jpg", "png", "gif", "webp", "jpeg"].contains($0.fileEnding)
                }
        }
        let url = ["html", "url", "profileurl", "link", "profile", "pageurl", "siteurl", "profilepage"].lazy.compactMap
        { key in urls.first { $0.key == key } }.first
        return AuthorFields(name: name, id: id, url: url)
    }

    private func flatAuthor(_ name: ItemField) -> AuthorFields {
        let beside = fields.all.filter { $0.path.parent == name.path.parent && $0.path != name.path }
        let stem = name.words.words.first ?? ""
        let url = beside.first {
            ["\(stem)url", "\(stem)link", "\(stem)profile", "\(stem)page", "\(stem)viewurl"].contains($0.key)
                && $0.values.allSatisfy { $0.webURL != nil }
        }
        let id = beside.first {
            ["\(stem)id", "ownerid"].contains($0.key) || name.key == "ownername" && $0.key == "owner"
        }
        return AuthorFields(
            name: name,
            id: id.flatMap { id in
                id.values.allSatisfy { $0.textValue?.isEmpty == false || $0.integerValue != nil } ? id : nil
            }, url: url)
    }
}
