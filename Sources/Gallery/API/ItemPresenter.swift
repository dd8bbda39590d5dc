import ImgScript
import ProviderModel

/// Writes items for the page: with the addresses of their pictures, their attribution, and what else the server knows.
actor ItemPresenter {
    private let engine: ImageEngine
    private let pictures: PictureAddresses
    private var writers: [ProviderID: Task<AttributionWriter, any Error>] = [:]

    init(engine: ImageEngine, pictures: PictureAddresses) {
        self.engine = engine
        self.pictures = pictures
    }

    /// Returns an item's JSON.
    func json(_ item: Item) async -> JSONText {
        // An item whose provider has gone meanwhile has no attribution.
        let attribution = try? await writer(for: item.provider).attribution(of: item)
        let collection = await engine.authorCollection(of: item)
        let set = PictureSet(item)
        var json = JSONWriter()
        item.write(to: &json) { json in
            json.name("ref")
            json.value("\(item.provider):\(item.id)")
            json.name("pictures")
            json.object { json in
                for (name, media) in set.named {
                    json.name(name)
                    json.object { json in
                        json.member("url", pictures.path(of: media, from: item.provider))
                        json.member("width", media.width)
                        json.member("height", media.height)
                    }
                }
                if let film = set.film {
                    json.name("film")
                    json.object { json in
                        json.member("url", pictures.path(ofFilm: film, from: item.provider))
                        json.member("width", film.width)
                        json.member("height", film.height)
                    }
                }
            }
            json.member("color", item.colors.first)
            if let attribution {
                json.name("attribution")
                json.object { json in
                    json.member("text", attribution.text)
                    json.member("html", attribution.html)
                    json.member("markdown", attribution.markdown)
                }
            }
            json.member("moreByAuthor", collection.map { "\($0.provider):\($0.id)" })
        }
        return JSONText(validated: json.text)
    }

    private func writer(for provider: ProviderID) async throws -> AttributionWriter {
        let engine = engine
        let task = writers[provider] ?? Task { try await engine.attributionWriter(for: provider) }
        writers[provider] = task
        return try await task.value
    }
}

/// The files of an item that are shown: one for the grid, one for a large view, the best there is.
struct PictureSet {
    let thumbnail: Media?
    let preview: Media?
    let full: Media?
    /// The film, where it is one that browsers play.
    let film: Media?

    /// Chooses among the sizes of the first file that browsers show.
    init(_ item: Item) {
        let shown = (item.files.first ?? []).filter { media in
            media.kind == .image && media.format.map { Self.formats.contains($0.lowercased()) } ?? true
        }
        thumbnail = Self.smallest(of: shown, width: 320, roles: [.small, .thumbnail, .regular, .large])
        preview = Self.smallest(of: shown, width: 1_280, roles: [.large, .regular, .original])
        full = shown.max { $0.rank < $1.rank }
        film = (item.files.first ?? []).filter { media in
            media.kind == .video && media.format.map { Self.films.contains($0.lowercased()) } ?? true
        }.max { $0.rank < $1.rank }
    }

    /// What there is, by its name in JSON.
    var named: [(String, Media)] {
        [("thumbnail", thumbnail), ("preview", preview), ("full", full)].compactMap { name, media in
            media.map { (name, $0) }
        }
    }

    private static let films: Set = ["mp4", "webm", "mov", "ogv"]
    private static let formats: Set = ["jpeg", "jpg", "png", "gif", "webp", "avif"]

    /// The smallest file that is wide enough; where widths are unknown, the first of these roles.
    private static func smallest(of media: [Media], width: Int, roles: [Media.Role]) -> Media? {
        let wide = media.filter { $0.width ?? 0 >= width }.min { $0.width ?? 0 < $1.width ?? 0 }
        let byRole = roles.lazy.compactMap { role in media.first { $0.role == role } }.first
        return wide ?? byRole ?? media.max { $0.rank < $1.rank }
    }
}

extension Media {
    /// The larger, the better a file is for looking at closely.
    fileprivate var rank: (Int, Int) {
        let byRole = Role.allCases.count - (Role.allCases.firstIndex(of: role) ?? 0)
        return (byRole, width ?? 0)
    }
}
