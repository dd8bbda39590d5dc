import ProviderModel

extension ItemField.Name {
    /// What the item says; lists are joined with “; ”.
    func value(of item: Item) -> String? {
        switch self {
        case .provider: item.provider.description
        case .id: item.id
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
        case .url: item.bestMedia?.url.description
        case .width: item.bestMedia?.width.map(String.init)
        case .height: item.bestMedia?.height.map(String.init)
        case .location, .locationName, .city, .country, .latitude, .longitude: item.location.flatMap(value)
        case .camera, .make, .model, .lens, .exposure, .aperture, .focalLength, .iso: item.camera.flatMap(value)
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

extension Location {
    /// The place in words: name, town and country, each once; else its coordinates.
    var summary: String? {
        var words: [String] = []
        for word in [name, city, country].compactMap(\.self) where !words.contains(where: { $0.contains(word) }) {
            words.append(word)
        }
        if !words.isEmpty { return words.joined(separator: ", ") }
        guard let latitude, let longitude else { return nil }
        return "\(latitude.shortest), \(longitude.shortest)"
    }
}

extension Camera {
    /// Maker and model, the maker once where the model's name begins with it.
    var name: String? {
        guard let make, let model else { return model ?? make }
        return model.lowercased().hasPrefix(make.lowercased()) ? model : "\(make) \(model)"
    }
}
