import ProviderModel

/// What a name is made from.
package struct NameSubject: Sendable {
    /// The item; nil for a bare URL.
    package var item: Item?
    /// The file that is fetched.
    package var media: Media
    /// Whose it is.
    package var provider: ProviderID
    /// The place in the input, from 1.
    package var index: Int

    /// A subject.
    package init(item: Item?, media: Media, provider: ProviderID, index: Int) {
        self.item = item
        self.media = media
        self.provider = provider
        self.index = index
    }
}

extension NameField {
    /// What the subject says, nil where it says nothing.
    package func value(of subject: NameSubject) -> String? {
        let text: String? =
            switch self {
            case .index: String(subject.index)
            case .role: subject.media.role.rawValue
            case .name: subject.media.url.fileStem
            case .host: subject.media.url.host
            case .item(let name): name.value(of: subject)
            case .media(let place, let property): place.media(of: subject).flatMap { property.value(of: $0) }
            case .stat(let name): subject.item?.stats.first { $0.name == name }.map(\.value.written)
            }
        return text.flatMap { $0.isEmpty ? nil : $0 }
    }
}

extension NameField.ItemName {
    fileprivate func value(of subject: NameSubject) -> String? {
        switch self {
        // Nobody listed a bare URL; the host is what tells where it is from.
        case .provider: subject.item == nil ? subject.media.url.host : subject.provider.description
        case .url: subject.media.url.description
        case .width: subject.media.width.map(String.init)
        case .height: subject.media.height.map(String.init)
        // A bare URL is known by the name it ends with.
        case .id: subject.item?.id ?? subject.media.url.fileStem
        default: subject.item.flatMap(value)
        }
    }

    private func value(of item: Item) -> String? {
        switch self {
        case .type: item.type.rawValue
        case .title: item.title
        case .description: item.description
        case .page: item.page?.description
        case .tags: item.tags.joined(separator: ", ")
        case .author, .authorName: item.author?.name
        case .authorID: item.author?.id
        case .authorURL: item.author?.url?.description
        case .license, .licenseID: item.license?.id
        case .licenseName: item.license?.name
        case .licenseURL: item.license?.url?.description
        case .created: item.created
        case .colors: item.colors.joined(separator: ", ")
        case .rating: item.rating?.rawValue
        case .location, .locationName, .city, .country, .latitude, .longitude: item.location.flatMap(value)
        case .camera, .make, .model, .lens, .exposure, .aperture, .focalLength, .iso: item.camera.flatMap(value)
        case .provider, .id, .url, .width, .height: nil
        }
    }

    private func value(of location: Location) -> String? {
        switch self {
        case .city: location.city
        case .country: location.country
        case .latitude: location.latitude?.written
        case .longitude: location.longitude?.written
        case .locationName: location.name
        default: location.name ?? location.city ?? location.country
        }
    }

    private func value(of camera: Camera) -> String? {
        switch self {
        case .make: camera.make
        case .model: camera.model
        case .lens: camera.lens
        case .exposure: camera.exposure
        case .aperture: camera.aperture
        case .focalLength: camera.focalLength
        case .iso: camera.iso.map(String.init)
        default: [camera.make, camera.model].compactMap(\.self).joined(separator: " ")
        }
    }
}

extension NameField.MediaPlace {
    fileprivate func media(of subject: NameSubject) -> Media? {
        switch self {
        case .chosen: subject.media
        case .number(let number): subject.item.flatMap { $0.media.indices.contains(number) ? $0.media[number] : nil }
        case .role(let role): subject.item?.media.first { $0.role == role }
        }
    }
}

extension NameField.MediaProperty {
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

extension Double {
    /// The number without a fraction where it has none.
    fileprivate var written: String {
        self == rounded() && abs(self) < 1e15 ? String(Int(self)) : String(self)
    }
}

extension WebURL {
    /// The last part of the path, decoded.
    private var fileName: String {
        let last = path.split(separator: "/").last ?? ""
        return PercentEncoding.decode(last)
    }

    /// The last part of the path without its ending; the host where the path is empty.
    package var fileStem: String {
        let name = fileName
        guard !name.isEmpty else { return host }
        guard let dot = name.lastIndex(of: "."), dot > name.startIndex else { return name }
        return String(name[..<dot])
    }

    /// The ending of the path's last part in lower case, where it looks like one.
    package var fileEnding: String? {
        let name = fileName
        guard let dot = name.lastIndex(of: "."), dot > name.startIndex else { return nil }
        let ending = name[name.index(after: dot)...].lowercased()
        let isPlain = ending.utf8.allSatisfy { (0x61...0x7a).contains($0) || (0x30...0x39).contains($0) }
        return isPlain && (1...5).contains(ending.utf8.count) ? ending : nil
    }
}
