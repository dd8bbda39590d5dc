import ProviderModel

extension Item {
    /// The file to have: the original, else the next largest, without a mark on it where there is a choice.
    var bestMedia: Media? {
        for role in Media.Role.allCases {
            let candidates = media.filter { $0.role == role }
            if let best = candidates.first(where: { $0.isWatermarked != true }) ?? candidates.first { return best }
        }
        return nil
    }

    /// The name commands take: `pixabay:171653`.
    var reference: String { "\(provider):\(id)" }
}

extension ItemSubject {
    /// An item of a listing, with its best file.
    init(_ item: Item, at index: Int = 1) {
        self.init(item: item, media: item.bestMedia, provider: item.provider, index: index)
    }
}

extension Media {
    /// `4000×3000`, where both are known.
    var dimensions: String? {
        guard let width, let height else { return nil }
        return "\(width)×\(height)"
    }
}
