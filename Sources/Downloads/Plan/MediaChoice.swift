import ProviderModel

/// Which of an item's files is used.
public enum MediaChoice: Hashable, Sendable {
    /// The file with this role, else the next larger one, else the next smaller one.
    case role(Media.Role)
    /// The file whose width in pixels is nearest to this.
    case width(Int)

    /// The chosen size of a file; nil when there is none.
    package func media(among sizes: [Media]) -> Media? {
        switch self {
        case .role(let role): Self.media(of: role, among: sizes)
        case .width(let width): Self.media(nearest: width, among: sizes)
        }
    }

    /// Whether a file is there as it is wanted: with the role, or at least as wide.
    fileprivate func isMet(by sizes: [Media]) -> Bool {
        switch self {
        case .role(let role): sizes.contains { $0.role == role }
        case .width(let width): sizes.contains { $0.role == .original || $0.width ?? 0 >= width }
        }
    }

    private static func media(of role: Media.Role, among media: [Media]) -> Media? {
        let roles = Media.Role.allCases
        guard let place = roles.firstIndex(of: role) else { return nil }
        let larger = roles[..<place].reversed()
        for role in [role] + larger + roles[(place + 1)...] {
            if let best = best(of: media.filter { $0.role == role }) { return best }
        }
        return nil
    }

    private static func media(nearest width: Int, among media: [Media]) -> Media? {
        let measured = media.filter { $0.width != nil }
        func distance(_ media: Media) -> Int { media.width.map { abs($0 - width) } ?? .max }
        // Of two that are equally near, more pixels are better than fewer.
        let nearest = measured.min { (distance($0), -($0.width ?? 0)) < (distance($1), -($1.width ?? 0)) }
        guard let nearest, let found = nearest.width else { return Self.media(of: .original, among: media) }
        // A size that the source does not measure may still be known to be larger than one that is too small.
        if found < width, let larger = unmeasured(above: nearest.role, among: media) { return larger }
        return best(of: measured.filter { $0.width == found }) ?? nearest
    }

    private static func unmeasured(above role: Media.Role, among media: [Media]) -> Media? {
        let roles = Media.Role.allCases
        guard let place = roles.firstIndex(of: role) else { return nil }
        for role in roles[..<place].reversed() {
            if let best = best(of: media.filter { $0.role == role && $0.width == nil }) { return best }
        }
        return nil
    }

    /// The first without a mark on it, where there is a choice.
    private static func best(of media: [Media]) -> Media? {
        media.first { $0.isWatermarked != true } ?? media.first
    }
}

/// Which of an item's files are used, and in which size.
package struct FileSelection: Hashable, Sendable {
    /// The size of each file.
    package var size = MediaChoice.role(.original)
    /// What the files may hold.
    package var kinds = Media.pictures

    /// A selection.
    package init(_ size: MediaChoice = .role(.original), of kinds: Set<Media.Kind> = Media.pictures) {
        (self.size, self.kinds) = (size, kinds)
    }

    /// The chosen files of an item in order; each has its number where the item has several.
    package func media(of item: Item) -> [Media] {
        let isNumbered = item.files.count > 1
        return item.files(of: kinds).compactMap { number, sizes in
            var media = size.media(among: sizes)
            media?.file = isNumbered ? number : nil
            return media
        }
    }

    /// Whether an item has what is wanted, so that its details need not be asked for.
    package func isMet(by item: Item) -> Bool {
        let files = item.files(of: kinds)
        return !files.isEmpty && files.allSatisfy { size.isMet(by: $0.sizes) }
    }
}
