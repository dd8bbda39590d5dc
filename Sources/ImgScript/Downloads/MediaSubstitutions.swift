import Downloads
import ProviderModel
import Synchronization

/// What was wanted of images that were named only by their ids, and what the source had instead.
///
/// A source may have no original; then what was fetched in its place is noted in the archive as what was wanted too, so
/// that the next run need not ask for details again.
final class MediaSubstitutions: Sendable {
    private let choice: MediaChoice
    private let underWay = Mutex<[MediaKey: MediaKey]>([:])

    init(_ choice: MediaChoice) { self.choice = choice }

    /// The items with the files that were fetched for these wishes before; nil for those that have none.
    func fulfilled(for items: [Item], by archive: DownloadArchive?) throws -> [Item?] {
        guard let archive, !items.isEmpty else { return items.map { _ in nil } }
        let records = try archive.records(ofItems: items)
        return items.map { fulfilled(for: $0, by: records) }
    }

    private func fulfilled(for item: Item, by records: [MediaKey: ArchiveRecord]) -> Item? {
        let wish = records[wish(for: item)]
        for role in Media.Role.allCases where choice == .role(role) || wish != nil {
            guard let record = records[MediaKey(item, role)], choice == .role(role) || wish?.path == record.path else {
                continue
            }
            // An address that cannot be read is asked for again.
            guard let url = try? WebURL(record.url) else { return nil }
            var known = item
            known.media = [Media(role: role, url: url)]
            return known
        }
        return nil
    }

    /// Notes what will be fetched for an item, where that is not what was wanted.
    func note(_ item: Item) {
        guard let media = choice.media(of: item), choice != .role(media.role) else { return }
        let wish = wish(for: item)
        underWay.withLock { $0[MediaKey(item, media.role)] = wish }
    }

    /// The wish that a file fulfils, which is over with it.
    func take(_ key: MediaKey) -> MediaKey? {
        // Mostly there is none, and looking for it takes more than the rest of what is done with a file that is there.
        underWay.withLock { $0.isEmpty ? nil : $0.removeValue(forKey: key) }
    }

    /// `unsplash:abc:?original`, which is no file's key.
    private func wish(for item: Item) -> MediaKey {
        let wanted =
            switch choice {
            case .role(let role): role.rawValue
            case .width(let width): "\(width)px"
            }
        return MediaKey(stored: "\(item.provider):\(item.id):?\(wanted)")
    }
}
