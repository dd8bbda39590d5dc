/// One thing to be said about an item, by the name that `--format`, column headings and `--name` share.
package enum ItemField: Hashable, Sendable {
    /// A field that every item may have.
    case named(Name)
    /// A property of one of the item's files.
    case media(MediaPlace, MediaProperty)
    /// A count by the source's own name for it.
    case stat(String)

    /// The fields that every item may have; `role`, `name`, `host`, `url` and the sizes are those of its chosen file.
    package enum Name: String, CaseIterable, Sendable {
        case provider, id, type, title, description, page, tags
        case author, authorName = "author.name", authorID = "author.id", authorURL = "author.url"
        case license, licenseID = "license.id", licenseName = "license.name", licenseURL = "license.url"
        case created, location, locationName = "location.name", city = "location.city", country = "location.country"
        case latitude = "location.latitude", longitude = "location.longitude"
        case camera, make = "camera.make", model = "camera.model", lens = "camera.lens"
        case exposure = "camera.exposure", aperture = "camera.aperture", focalLength = "camera.focalLength"
        case iso = "camera.iso", colors, rating, url, width, height, role, name, host, index
    }

    /// Which of an item's files is meant.
    package enum MediaPlace: Hashable, Sendable {
        case chosen
        case number(Int)
        case role(Media.Role)
    }

    /// What is to be said about a file.
    package enum MediaProperty: String, CaseIterable, Sendable {
        case url, width, height, bytes, format, role, expires
    }

    /// Reads a field's name as people write it; nil when there is none of that name.
    package init?(_ text: String) {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
        if let name = Name(rawValue: text) {
            self = .named(name)
        } else if parts.count == 2, parts[0] == "stats", !parts[1].isEmpty {
            self = .stat(parts[1])
        } else if parts[0] == "media", (2...3).contains(parts.count),
            let place = MediaPlace(parts.count == 3 ? parts[1] : nil),
            let property = MediaProperty(rawValue: parts[parts.count - 1])
        {
            self = .media(place, property)
        } else {
            return nil
        }
    }

    /// The names for a help text.
    package static var choices: String {
        let properties = MediaProperty.allCases.map { "media.\($0.rawValue)" }
        let names = Name.allCases.map(\.rawValue) + properties
        return names.joined(separator: ", ") + "; media.0.url, media.large.url …; stats.likes …"
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
}
