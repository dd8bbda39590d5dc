import ProviderModel

extension FieldFinder {
    /// Who made it.
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
            names.contains($0.key) && $0.depth <= 1 && isName($0)
                && $0.path.parent.names.allSatisfy { !["taxon"].contains($0) }
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
