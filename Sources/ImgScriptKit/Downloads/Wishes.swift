import Downloads
import ProviderModel
import Synchronization

/// What was wanted of images that were named only by their ids, and what the source had instead.
///
/// A source may have no original; then what was fetched in its place is noted in the archive as what was wanted too, so
/// that the next run need not ask for details again.
final class Wishes: Sendable {
    private let choice: MediaChoice
    private let underWay = Mutex<[MediaKey: MediaKey]>([:])

    init(_ choice: MediaChoice) { self.choice = choice }

    /// The item with the file that was fetched for this wish before; nil when there is none.
    func fulfilled(for item: Item, by archive: DownloadArchive?) throws -> Item? {
        guard let archive else { return nil }
        let roles = Media.Role.allCases
        let wish = wish(for: item)
        let records = try archive.records(of: roles.map { MediaKey(item, $0) } + [wish])
        let found = roles.first { role in
            guard let record = records[MediaKey(item, role)] else { return false }
            return choice == .role(role) || records[wish]?.path == record.path
        }
        guard let found, let record = records[MediaKey(item, found)], let url = try? WebURL(record.url) else {
            return nil
        }
        var known = item
        known.media = [Media(role: found, url: url)]
        return known
    }

    /// Notes what will be fetched for an item, where that is not what was wanted.
    func note(_ item: Item) {
        guard let media = choice.media(of: item), choice != .role(media.role) else { return }
        let wish = wish(for: item)
        underWay.withLock { $0[MediaKey(item, media.role)] = wish }
    }

    /// The wish that a file fulfils, which is over with it.
    func take(_ key: MediaKey) -> MediaKey? { underWay.withLock { $0.removeValue(forKey: key) } }

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
