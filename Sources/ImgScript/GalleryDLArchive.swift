import FoundationEssentials
import LocalDatabase

/// An archive of gallery-dl: the entries of the files that it has downloaded.
///
/// An entry is the name of a site, and what identifies a file there: `danbooru123`, `pixivf_7_456_p0.png`. Of many sites
/// that is the image's own number, by which a provider knows it too.
public struct GalleryDLArchive {
    /// How many entries are known here, and how many are not.
    public struct Count: Hashable, Sendable {
        /// The entries that stand for images of a provider, by its id.
        public var known: [String: Int] = [:]
        /// The entries of other sites, and of a form that names no image, by the letters that they begin with.
        public var unknown: [String: Int] = [:]

        /// Creates an empty count.
        public init() {}
    }

    /// The part of an entry behind the site's name.
    private enum Form {
        /// The image's number, after whatever search or album it was found in: `t_fox_123`, `123`.
        case number
        /// The image's id of letters and digits, in the same place.
        case word
        /// The image's id, which may have dashes and underscores, alone.
        case whole
        /// The number of a work and of its page, from 0: `123_p0.png`.
        case pages
        /// The number of a post and of its file, from 1: `123_1`.
        case files
    }

    private static let forms: [String: Form] = [
        "danbooru": .number, "derpibooru": .number, "e621": .number, "flickr": .number, "gelbooru": .number,
        "imgur": .word, "konachan": .number, "pexels": .number, "pixiv": .pages, "rule34": .number,
        "safebooru": .number, "tumblr": .files, "unsplash": .whole, "wallhaven": .word, "yandere": .number,
        "zerochan": .number,
    ]

    /// The identities of the files, each once.
    let keys: [MediaKey]
    /// How many entries are known here, and how many are not.
    public let count: Count

    /// Reads a file, or a private copy of it: gallery-dl may be running.
    ///
    /// - Parameter path: the file.
    /// - Throws: `LocalDatabaseError` when it cannot be read, or is no archive.
    public init(path: String) throws { self.init(entries: try Self.entries(at: path)) }

    /// The archive with these entries.
    init(entries: [String]) {
        var keys: [MediaKey] = []
        var count = Count()
        for entry in entries {
            let site = Self.site(of: entry)
            guard let site, let found = Self.keys(of: entry, site) else {
                count.unknown[site ?? String(entry.prefix { $0.isLetter || $0 == "-" }), default: 0] += 1
                continue
            }
            keys += found
            count.known[site, default: 0] += 1
        }
        self.keys = Array(Set(keys))
        self.count = count
    }

    /// Records the files as downloaded in the archive of a folder; what it has already stays as it is.
    ///
    /// - Parameter folder: the folder of the downloads.
    /// - Returns: how many files were new.
    /// - Throws: `DownloadError`.
    public func record(inFolder folder: String) throws -> Int {
        let archive = DownloadArchive(try DownloadArchive.open(DownloadOptions.ownArchive(in: folder)))
        let known = try archive.paths(of: keys)
        let new = zip(keys, known).filter { $1 == nil }.map(\.0)
        let now = Int(Date.now.timeIntervalSince1970)
        for key in new { archive.add(ArchiveRecord(key: key, url: "", sha256: nil, bytes: 0, time: now, path: "")) }
        try archive.flush()
        return new.count
    }

    /// The entries of all tables that have such a column: there may be one for each site.
    private static func entries(at path: String) throws -> [String] {
        try ForeignDatabase.read(copyOf: path) { database in
            let tables = try String.fetchAll(
                database,
                sql: """
                    SELECT sqlite_master.name FROM sqlite_master, pragma_table_info(sqlite_master.name) AS columns
                    WHERE sqlite_master.type = 'table' AND columns.name = 'entry'
                    """)
            guard !tables.isEmpty else {
                throw LocalDatabaseError(
                    .foreign, path: path, message: "\(path): no archive of gallery-dl (no table has entries)")
            }
            return try tables.flatMap { table in
                let name = table.replacing("\"", with: "\"\"")
                return try String.fetchAll(database, sql: "SELECT entry FROM \"\(name)\"")
            }
        }
    }

    /// The longest name of a site that an entry begins with.
    private static func site(of entry: String) -> String? {
        forms.keys.filter { entry.hasPrefix($0) }.max { $0.count < $1.count }
    }

    /// The identities of an entry's file, by each of the roles that its best file may have.
    private static func keys(of entry: String, _ site: String) -> [MediaKey]? {
        let rest = entry.dropFirst(site.count)
        let found: (id: Substring, file: Int?)? =
            switch forms[site] {
            case .number: rest.wholeMatch(of: /(?:[A-Za-z]+_.*_)?([0-9]+)/).map { ($0.1, nil) }
            case .word: rest.wholeMatch(of: /(?:.*_)?([A-Za-z0-9]+)/).map { ($0.1, nil) }
            case .whole: rest.wholeMatch(of: /([A-Za-z0-9_-]+)/).map { ($0.1, nil) }
            case .pages:
                rest.wholeMatch(of: /(?:[A-Za-z]+_.*_)?([0-9]+)(?:_p([0-9]+))?\.[a-z0-9]+/)
                    .map { ($0.1, $0.2.flatMap { Int($0) }.map { $0 + 1 }) }
            case .files: rest.wholeMatch(of: /(?:[A-Za-z]+_.*_)?([0-9]+)_([0-9]+)/).map { ($0.1, Int($0.2)) }
            case nil: nil
            }
        guard let found else { return nil }
        // The first file of an image has no number where the image has no other.
        let numbers = [found.file.map { ".\($0)" }, (found.file ?? 1) == 1 ? "" : nil].compactMap(\.self)
        return ["original", "large"].flatMap { role in
            numbers.map { MediaKey(stored: "\(site):\(found.id):\(role)\($0)") }
        }
    }
}
