/// What fields are asked of: an item with the file that is meant, or a file that nobody listed.
package struct ItemSubject: Sendable {
    /// The item; nil for a bare URL.
    package var item: Item?
    /// The file that is shown or fetched; nil where the item has none.
    package var media: Media?
    /// Whose it is.
    package var provider: ProviderID
    /// The place in the results or the input, from 1.
    package var index: Int

    /// A subject.
    package init(item: Item?, media: Media?, provider: ProviderID, index: Int) {
        self.item = item
        self.media = media
        self.provider = provider
        self.index = index
    }
}

extension ItemField {
    /// What the subject says, nil where it says nothing; lists are joined with “; ”.
    package func value(of subject: ItemSubject) -> String? {
        let text: String? =
            switch self {
            case .named(let name): name.value(of: subject)
            case .media(let place, let property): place.media(of: subject).flatMap { property.value(of: $0) }
            case .stat(let name): subject.item?.stats.first { $0.name == name }.map(\.value.shortest)
            }
        return text.flatMap { $0.isEmpty ? nil : $0 }
    }
}

extension ItemField.Name {
    /// What the subject says.
    package func value(of subject: ItemSubject) -> String? {
        switch self {
        // Nobody listed a bare URL: its host tells where it is from, and the name it ends with which it is.
        case .provider: subject.item == nil ? subject.media?.url.host : subject.provider.description
        case .id: subject.item?.id ?? subject.media?.url.fileStem
        case .index: String(subject.index)
        case .url, .width, .height, .role, .name, .host: subject.media.flatMap(value)
        default: subject.item.flatMap(value)
        }
    }

    private func value(of media: Media) -> String? {
        switch self {
        case .width: media.width.map(String.init)
        case .height: media.height.map(String.init)
        case .role: media.role.rawValue
        case .name: media.url.fileStem
        case .host: media.url.host
        default: media.url.description
        }
    }

    private func value(of item: Item) -> String? {
        switch self {
        case .type: item.type.rawValue
        case .title: item.title
        case .description: item.description
        case .page: item.page?.description
        case .tags: item.tags.joined(separator: "; ")
        case .author, .authorName: item.author?.name
        case .authorID: item.author?.id
        case .authorURL: item.author?.url?.description
        case .license, .licenseID: item.license?.id
        case .licenseName: item.license?.name
        case .licenseURL: item.license?.url?.description
        case .created: item.created
        case .colors: item.colors.joined(separator: "; ")
        case .rating: item.rating?.rawValue
        case .location, .locationName, .city, .country, .latitude, .longitude: item.location.flatMap(value)
        case .camera, .make, .model, .lens, .exposure, .aperture, .focalLength, .iso: item.camera.flatMap(value)
        case .provider, .id, .index, .url, .width, .height, .role, .name, .host: nil
        }
    }

    private func value(of location: Location) -> String? {
        switch self {
        case .locationName: location.name
        case .city: location.city
        case .country: location.country
        case .latitude: location.latitude?.shortest
        case .longitude: location.longitude?.shortest
        default: location.summary
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
        default: camera.name
        }
    }
}

extension ItemField.MediaPlace {
    fileprivate func media(of subject: ItemSubject) -> Media? {
        switch self {
        case .chosen: subject.media
        case .number(let number): subject.item.flatMap { $0.media.indices.contains(number) ? $0.media[number] : nil }
        case .role(let role): subject.item?.media.first { $0.role == role }
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
