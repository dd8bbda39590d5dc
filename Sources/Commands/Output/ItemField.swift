import ProviderModel

/// One thing to be said about an item, by the name that templates and column headings use.
enum ItemField: Hashable, Sendable {
    /// A field that every item may have.
    case named(Name)
    /// A property of one of the item's files.
    case media(MediaChoice, MediaProperty)
    /// A count by the source's own name for it.
    case stat(String)

    /// The fields that every item may have.
    enum Name: String, CaseIterable, Sendable {
        case provider, id, type, title, description, page, tags
        case author, authorName = "author.name", authorID = "author.id", authorURL = "author.url"
        case license, licenseID = "license.id", licenseName = "license.name", licenseURL = "license.url"
        case created, location, locationName = "location.name", city = "location.city", country = "location.country"
        case latitude = "location.latitude", longitude = "location.longitude"
        case camera, make = "camera.make", model = "camera.model", lens = "camera.lens"
        case exposure = "camera.exposure", aperture = "camera.aperture", focalLength = "camera.focalLength"
        case iso = "camera.iso", colors, rating, url, width, height
    }

    /// Which of an item's files is meant.
    enum MediaChoice: Hashable, Sendable {
        case best
        case number(Int)
        case role(Media.Role)
    }

    /// What is to be said about a file.
    enum MediaProperty: String, CaseIterable, Sendable {
        case url, width, height, bytes, format, role, expires
    }

    /// Reads a field's name as people write it.
    init(_ text: String) throws {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
        if let name = Name(rawValue: text) {
            self = .named(name)
        } else if parts.count == 2, parts[0] == "stats", !parts[1].isEmpty {
            self = .stat(parts[1])
        } else if parts[0] == "media", (2...3).contains(parts.count),
            let choice = MediaChoice(parts.dropFirst().dropLast()),
            let property = MediaProperty(rawValue: parts[parts.count - 1])
        {
            self = .media(choice, property)
        } else {
            throw OutputError(.unknownField, "items have no field \(text.quoted); there are \(Self.choices)")
        }
    }

    /// The names for a help text.
    static var choices: String {
        let properties = MediaProperty.allCases.map { "media.\($0.rawValue)" }
        let names = Name.allCases.map(\.rawValue) + properties
        return names.joined(separator: ", ") + "; media.0.url, media.large.url …; stats.likes …"
    }

    /// What the item says, nil where it says nothing.
    func value(of item: Item) -> String? {
        switch self {
        case .named(let name): name.value(of: item).flatMap { $0.isEmpty ? nil : $0 }
        case .media(let choice, let property): choice.media(of: item).flatMap { property.value(of: $0) }
        case .stat(let name): item.stats.first { $0.name == name }.map(\.value.shortest)
        }
    }
}

extension ItemField.MediaChoice {
    fileprivate init?(_ parts: some Collection<String>) {
        guard let part = parts.first else {
            self = .best
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

    fileprivate func media(of item: Item) -> Media? {
        switch self {
        case .best: item.bestMedia
        case .number(let number): item.media.indices.contains(number) ? item.media[number] : nil
        case .role(let role): item.media.first { $0.role == role }
        }
    }
}

extension ItemField.MediaProperty {
    fileprivate func value(of media: Media) -> String? {
        switch self {
        case .url: media.url.description
        case .width: media.width.map(String.init)
        case .height: media.height.map(String.init)
        case .bytes: media.bytes.map(String.init)
        case .format: media.format
        case .role: media.role.rawValue
        case .expires: media.expires
        }
    }
}
