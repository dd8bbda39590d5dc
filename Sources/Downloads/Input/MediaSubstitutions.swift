import ProviderModel

/// Looks up which file was fetched for images that are named by id only.
///
/// A source may have no original; then the file fetched instead is stored in the archive as the requested one too, so that
/// the next run need not request details again.
struct MediaSubstitutions {
    let choice: MediaChoice
    let archive: DownloadArchive?

    /// The items with the files that were fetched for them before; nil for those that have none.
    func known(for items: [Item]) throws(DownloadError) -> [Item?] {
        guard let archive, !items.isEmpty else { return items.map { _ in nil } }
        let records = try archive.records(ofItems: items)
        return items.map { known(for: $0, in: records) }
    }

    private func known(for item: Item, in records: [MediaKey: ArchiveRecord]) -> Item? {
        let wanted = records[wantedKey(of: item)]
        for role in Media.Role.allCases where choice == .role(role) || wanted != nil {
            guard let record = records[MediaKey(item, role)], choice == .role(role) || wanted?.path == record.path
            else {
                continue
            }
            // A URL that is not valid is asked for again.
            guard let url = try? WebURL(record.url) else { return nil }
            var known = item
            known.media = [Media(role: role, url: url)]
            return known
        }
        return nil
    }

    /// The key of what was wanted of an item whose source has something else; nil where it has what was wanted.
    func substituted(in item: Item) -> MediaKey? {
        guard let media = choice.media(of: item), choice != .role(media.role) else { return nil }
        return wantedKey(of: item)
    }

    /// `unsplash:abc:?original`, which is no file's key.
    private func wantedKey(of item: Item) -> MediaKey {
        let wanted =
            switch choice {
            case .role(let role): role.rawValue
            case .width(let width): "\(width)px"
            }
        return MediaKey(stored: "\(item.provider):\(item.id):?\(wanted)")
    }
}
