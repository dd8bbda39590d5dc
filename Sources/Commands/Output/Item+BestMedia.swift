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

extension License {
    /// What fits a column headed “Licence”: `CC BY-SA 4.0` for `cc-by-sa-4.0`, else the name, else the id.
    var shortName: String {
        let parts = id.lowercased().split(separator: "-")
        guard let family = parts.first, ["cc", "cc0", "pdm"].contains(family) else {
            return (name ?? id).withoutLicenseWord
        }
        if family == "pdm" { return "Public domain" }
        let version = parts.last.flatMap { $0.first?.isNumber == true ? String($0) : nil }
        let terms = parts.dropFirst().dropLast(version == nil ? 0 : 1).joined(separator: "-")
        return [family.uppercased(), terms.uppercased(), version ?? ""].filter { !$0.isEmpty }.joined(separator: " ")
    }
}

extension String {
    /// `Pixabay Content` for `Pixabay Content License`.
    fileprivate var withoutLicenseWord: String {
        for word in [" License", " Licence", " license", " licence"] where hasSuffix(word) && count > word.count {
            return String(dropLast(word.count))
        }
        return self
    }
}
