/// One thing to be said about an item, by the name that `--format`, column headings and `--name` share.
package enum ItemField: Hashable, Sendable {
    /// A field that every item may have, or one of its chosen file: one of ``names``.
    case named(String)
    /// A property of one of the item's files.
    case media(MediaPlace, String)
    /// A count by the source's own name for it.
    case stat(String)

    /// Which of an item's files is meant.
    package enum MediaPlace: Hashable, Sendable {
        case chosen
        case number(Int)
        case role(Media.Role)
    }

    /// The names of the fields that every item may have, and of those that its chosen file and its place give it.
    package static let names = ItemSchema.item.texts.map(\.name) + fileNames + ["index"]

    private static let fileNames = ["url", "width", "height", "role", "file", "name", "host"]

    /// Reads a field's name; nil when there is none of that name.
    package init?(_ text: String) {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
        if Self.names.contains(text) {
            self = .named(text)
        } else if parts.count == 2, parts[0] == "stats", !parts[1].isEmpty {
            self = .stat(parts[1])
        } else if parts[0] == "media", (2...3).contains(parts.count),
            let place = MediaPlace(parts.count == 3 ? parts[1] : nil), Self.mediaTexts[parts[parts.count - 1]] != nil
        {
            self = .media(place, parts[parts.count - 1])
        } else {
            return nil
        }
    }

    /// The names for a help text.
    package static var choices: String {
        let properties = ItemSchema.media.texts.map { "media.\($0.name)" }
        return (names + properties).joined(separator: ", ") + "; media.0.url, media.large.url …; stats.likes …"
    }

    /// What the subject says, nil where it says nothing; lists are joined with "; ".
    package func value(of subject: ItemSubject) -> String? {
        let text: String? =
            switch self {
            case .named(let name): Self.text(named: name, of: subject)
            case .media(let place, let property): place.media(of: subject).flatMap { Self.mediaTexts[property]?($0) }
            case .stat(let name): subject.item?.stats.first { $0.name == name }.map(\.value.shortest)
            }
        return text.flatMap { $0.isEmpty ? nil : $0 }
    }

    private static func text(named name: String, of subject: ItemSubject) -> String? {
        switch name {
        // A bare URL has no item: its host stands for the provider, and the end of its path for the id.
        case "provider": subject.item == nil ? subject.media?.url.host : subject.provider.description
        case "id": subject.item?.id ?? subject.fileName ?? subject.media?.url.fileStem
        case "index": String(subject.index)
        case "name": subject.fileName ?? subject.media?.url.fileStem
        case "host": subject.media?.url.host
        case _ where fileNames.contains(name): subject.media.flatMap { mediaTexts[name]?($0) }
        default: subject.item.flatMap { itemTexts[name]?($0) }
        }
    }

    private static let itemTexts = texts(of: ItemSchema.item)
    private static let mediaTexts = texts(of: ItemSchema.media)

    private static func texts<Root>(of schema: Schema<Root>) -> [String: @Sendable (Root) -> String?] {
        Dictionary(uniqueKeysWithValues: schema.texts.map { ($0.name, $0.text) })
    }
}

/// What fields are asked of: an item with the file that is meant, or the file of a bare URL.
package struct ItemSubject: Sendable {
    /// The item; nil for a bare URL.
    package var item: Item?
    /// The file that is shown or fetched; nil where the item has none.
    package var media: Media?
    /// Whose it is.
    package var provider: ProviderID
    /// The place in the results or the input, from 1.
    package var index: Int
    /// The name of the file without its ending, where its server gave it another one than the URL has.
    package var fileName: String?

    /// A subject.
    package init(item: Item?, media: Media?, provider: ProviderID, index: Int) {
        self.item = item
        self.media = media
        self.provider = provider
        self.index = index
    }

    /// An item of a listing, with its best file.
    package init(_ item: Item, at index: Int = 1) {
        self.init(item: item, media: item.bestMedia, provider: item.provider, index: index)
    }
}

extension ItemField.MediaPlace {
    fileprivate init?(_ part: String?) {
        guard let part else {
            self = .chosen
            return
        }
        if let number = Int(part), number >= 0 {
            self = .number(number)
        } else if let role = Media.Role(rawValue: part) {
            self = .role(role)
        } else {
            return nil
        }
    }

    fileprivate func media(of subject: ItemSubject) -> Media? {
        switch self {
        case .chosen: subject.media
        case .number(let number): subject.item.flatMap { $0.media.indices.contains(number) ? $0.media[number] : nil }
        case .role(let role): subject.item?.media.first { $0.role == role }
        }
    }
}
