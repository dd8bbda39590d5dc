extension Item {
    /// The item's files in order, each in the sizes there are: ten for a post of ten images.
    public var files: [[Media]] {
        guard media.contains(where: { $0.file ?? 1 != 1 }) else { return media.isEmpty ? [] : [media] }
        var files: [Int: [Media]] = [:]
        for media in media { files[media.file ?? 1, default: []].append(media) }
        return files.sorted { $0.key < $1.key }.map(\.value)
    }

    /// The file to have: the original of the first, else the next largest, without a watermark where there is a choice.
    package var bestMedia: Media? { files.first?.best }

    /// Whether it has something of these kinds to offer; one whose files are not known yet may have.
    package func hasFile(of kinds: Set<Media.Kind>) -> Bool {
        if type == .video, !kinds.contains(.video), files.count < 2 { return false }
        return media.isEmpty || type == .collection || !files(of: kinds).isEmpty
    }

    /// The files of these kinds in order, each in its sizes of these kinds, with its number.
    package func files(of kinds: Set<Media.Kind>) -> [(number: Int, sizes: [Media])] {
        // All that is known of a film may be what it looks like.
        if type == .video, media.allSatisfy({ $0.kind == .image }) { return [] }
        return files.compactMap { sizes in
            let wanted = sizes.sizes(of: kinds)
            return wanted.isEmpty ? nil : (sizes[0].file ?? 1, wanted)
        }
    }
}

extension [Media] {
    /// The largest size of a file, without a watermark where there is a choice.
    package var best: Media? {
        for role in Media.Role.allCases {
            let candidates = filter { $0.role == role }
            if let best = candidates.first(where: { $0.isWatermarked != true }) ?? candidates.first { return best }
        }
        return nil
    }

    /// The sizes of a file that are of these kinds; images that are smaller than a film only show what it is about.
    package func sizes(of kinds: Set<Media.Kind>) -> [Media] {
        // Most images are none of a film: there is nothing to compare their sizes with.
        guard contains(where: { $0.kind != .image }) else { return kinds.contains(.image) ? self : [] }
        let places = Dictionary(uniqueKeysWithValues: Media.Role.allCases.enumerated().map { ($1, $0) })
        func place(_ media: Media) -> Int { places[media.role] ?? 0 }
        let moving = filter { $0.kind != .image }.map(place).min() ?? .max
        return filter { kinds.contains($0.kind) && ($0.kind != .image || place($0) <= moving) }
    }
}
