import FoundationEssentials
import Glibc
import LocalDatabase
import ProviderModel
import Synchronization

/// A file of a folder of downloads, with what the archive and the credits say of it.
package struct LibraryFile: Sendable {
    /// Its record in the archive.
    package let record: ArchiveRecord
    /// Whose it is; nil where no credits were written.
    package let credit: Credit?
    /// The format that its name says.
    package let format: MediaFormat?
    /// Its size in pixels, if its header has it.
    package let size: ImageSize?

    /// Its path below the folder.
    package var path: String { record.path }
}

/// The files that were downloaded into a folder: listed, searched and removed.
package final class DownloadLibrary: Sendable {
    /// The order of the files.
    package enum Order: String, CaseIterable, Sendable {
        /// The last download first.
        case newest
        case oldest
        /// The last that was created first; those of unknown date come last.
        case created
        case title
    }

    /// A place in an order, after which a listing goes on.
    package struct Position: Sendable {
        /// The value that the order is by.
        package let value: String
        package let path: String

        /// A place.
        package init(value: String, path: String) {
            self.value = value
            self.path = path
        }
    }

    /// Some files of a listing.
    package struct Page: Sendable {
        package var files: [LibraryFile] = []
        /// Where it goes on; nil at its end.
        package var next: Position?
        /// How many files the archive has that are not there.
        package var missing = 0
        /// How many files are in archives or shards, where they cannot be looked at.
        package var bundled = 0
    }

    let folderPath: String
    private let opened = Mutex<LocalDatabase?>(nil)
    /// Files that show too little to be compared, by path and time of download: no hash is stored for them.
    private let withoutHash = Mutex<Set<String>>([])

    /// The library of a folder, which need not exist.
    package init(folder: String) { folderPath = folder }

    // MARK: Listing

    /// Returns the next files whose texts have all of the words.
    package func page(
        matching text: String, _ order: Order, after position: Position?, limit: Int
    ) throws(DownloadError) -> Page {
        var page = Page(next: position)
        guard let database = try database() else { return Page() }
        let folder = try DownloadFolder(path: folderPath)
        repeat {
            let rows = try rows(of: text, order, after: page.next, limit: limit, in: database)
            page.next = rows.count == limit ? rows.last?.place : nil
            for (offset, row) in rows.enumerated() {
                if let file = file(row, in: folder) {
                    page.files.append(file)
                } else if BundlePath.archive(of: row.record.path) != nil {
                    page.bundled += 1
                } else {
                    page.missing += 1
                }
                guard page.files.count == limit else { continue }
                if offset < rows.count - 1 { page.next = row.place }
                return page
            }
        } while page.next != nil
        return page
    }

    /// How many files the archive has whose texts have all of the words.
    package func count(matching text: String) throws(DownloadError) -> Int {
        guard let database = try database() else { return 0 }
        let (condition, arguments) = Self.condition(of: text)
        return try read(database) { database in
            let sql = "SELECT count(DISTINCT media.path) FROM \(Self.source) WHERE \(condition)"
            return try Int.fetchOne(database, sql: sql, arguments: StatementArguments(arguments)) ?? 0
        }
    }

    /// The file of a path; nil where the archive has none, or it is not there.
    package func file(at path: String) throws(DownloadError) -> LibraryFile? {
        guard let database = try database() else { return nil }
        let found = try read(database) { database in
            let sql = "SELECT \(Self.columns), '' AS place FROM \(Self.source) WHERE media.path = ? GROUP BY media.path"
            return try Row.fetchOne(database, sql: sql, arguments: [path]).map(StoredFile.init)
        }
        return try found.flatMap { (row) throws(DownloadError) in
            file(row, in: try DownloadFolder(path: folderPath))
        }
    }

    /// A file as the database has it.
    private struct StoredFile: Sendable {
        let record: ArchiveRecord
        let credit: Credit?
        let place: Position

        init(_ row: Row) {
            record = ArchiveRecord(row)
            credit = (row["source"] as String?) == nil ? nil : Credit(row, from: 8)
            place = Position(value: row["place"], path: record.path)
        }
    }

    /// Of several images that one file stands for, the one that came first.
    private static let columns = """
        media.key AS key, media.url AS url, media.sha256 AS sha256, media.bytes AS bytes, min(media.time) AS time,
        media.path AS path, media.content AS content, media.picture AS picture, \(Credit.columns)
        """
    private static let source = "media LEFT JOIN credit ON credit.path = media.path"

    private static func place(_ order: Order) -> String {
        switch order {
        case .newest, .oldest: "printf('%020d', min(media.time))"
        case .created: "ifnull(created, '')"
        case .title: "swiftLowercaseString(ifnull(title, media.path))"
        }
    }

    private static func condition(of text: String) -> (sql: String, arguments: [String]) {
        let words = text.lowercased().split(whereSeparator: \.isWhitespace).prefix(32)
        let texts = ["title", "tags", "author", "license", "license_id", "source", "media.path"]
            .map { "ifnull(\($0), '')" }.joined(separator: " || char(10) || ")
        let parts = words.map { _ in "instr(swiftLowercaseString(\(texts)), ?) > 0" }
        return (parts.isEmpty ? "1" : parts.joined(separator: " AND "), words.map(String.init))
    }

    private func rows(
        of text: String, _ order: Order, after position: Position?, limit: Int, in database: LocalDatabase
    ) throws(DownloadError) -> [StoredFile] {
        let (condition, arguments) = Self.condition(of: text)
        let isAscending = order == .oldest || order == .title
        var sql = """
            SELECT * FROM (SELECT \(Self.columns), \(Self.place(order)) AS place FROM \(Self.source)
            WHERE \(condition) GROUP BY media.path)
            """
        var values: [(any DatabaseValueConvertible)?] = arguments
        if let position {
            sql += " WHERE place \(isAscending ? ">" : "<") ? OR (place = ? AND path > ?)"
            values += [position.value, position.value, position.path]
        }
        sql += " ORDER BY place \(isAscending ? "ASC" : "DESC"), path LIMIT ?"
        values.append(limit)
        let all = StatementArguments(values)
        return try read(database) { try Row.fetchAll($0, sql: sql, arguments: all).map(StoredFile.init) }
    }

    private func file(_ row: StoredFile, in folder: DownloadFolder) -> LibraryFile? {
        guard let descriptor = folder.file(at: row.record.path) else { return nil }
        let content = DescriptorContent(owning: descriptor)
        let format = Self.format(of: row.record.path)
        // A file that somebody else has changed meanwhile has no size.
        let size = format.flatMap { try? ImageSize(of: content, as: $0) }
        return LibraryFile(record: row.record, credit: row.credit, format: format, size: size)
    }

    static func format(of path: String) -> MediaFormat? {
        path.split(separator: ".").last.flatMap { MediaFormat(named: String($0)) }
    }

    // MARK: Files

    /// An open file and its length; nil where it is not there.
    package func open(_ path: String) throws(DownloadError) -> (content: some FileContent, modified: Int)? {
        guard let descriptor = try DownloadFolder(path: folderPath).file(at: path) else {
            return nil as (DescriptorContent, Int)?
        }
        var status = stat()
        fstat(descriptor, &status)
        return (DescriptorContent(owning: descriptor), status.st_mtim.tv_sec)
    }

    /// A small copy of a picture; nil where it cannot be scaled here.
    package func thumbnail(_ path: String, side: Int) async throws -> [UInt8]? {
        guard let format = Self.format(of: path), PictureProgram.readable.contains(format),
            let program = try? PictureProgram(),  // without the program the picture itself will do
            let descriptor = try DownloadFolder(path: folderPath).file(at: path)
        else { return nil }
        let output = format == .jpeg || format == .heic ? ".jpg[Q=82,strip]" : ".webp[Q=82,strip]"
        do {
            let scaled = try await program.thumbnail(
                of: DescriptorContent(owning: descriptor), size: "\(side)x\(side)>", as: output)
            return try scaled.bytes(at: 0, count: scaled.count)
        } catch is PictureProgram.Failure { return nil }
    }

    /// Whether a file was found to show too little to be compared.
    func hasNoHash(_ record: ArchiveRecord) -> Bool {
        withoutHash.withLock { $0.contains("\(record.time) \(record.path)") }
    }

    func noteWithoutHash(_ record: ArchiveRecord) {
        withoutHash.withLock { _ = $0.insert("\(record.time) \(record.path)") }
    }

    // MARK: Removing

    /// Takes a file out of the archive, so that it may be downloaded anew; with its file and credit where `deletingFile`.
    ///
    /// - Returns: whether the archive had it.
    package func remove(_ path: String, deletingFile: Bool) throws(DownloadError) -> Bool {
        guard let database = try database() else { return false }
        let folder = try DownloadFolder(path: folderPath)
        // Nothing else in the folder is ever deleted.
        let isKnown = try read(database) { database in
            try Bool.fetchOne(database, sql: "SELECT EXISTS (SELECT 1 FROM media WHERE path = ?)", arguments: [path])
        }
        guard isKnown == true else { return false }
        if deletingFile { try delete(path, in: folder) }
        try write(database) { try $0.execute(sql: "DELETE FROM media WHERE path = ?", arguments: [path]) }
        guard deletingFile else { return true }
        let formats = CreditFormat.allCases.filter { folder.hasFile(at: $0.fileName) }
        let credits = try CreditLedger(folder: folder, formats: formats, in: database)
        try credits.remove(path)
        do { try credits.update() } catch { throw DownloadError(any: error) }
        return true
    }

    private func delete(_ path: String, in folder: DownloadFolder) throws(DownloadError) {
        // What is not there need not be removed.
        guard folder.hasFile(at: path) else { return }
        let (parent, name) = try folder.location(of: path)
        parent.remove(name)
        guard !parent.has(name) else {
            throw DownloadError(.file, "could not delete \(folderPath)/\(path) (expected a folder that may be changed)")
        }
        for format in SidecarFormat.allCases { parent.remove(format.path(for: name)) }
    }

    // MARK: Database

    /// The folder's archive; nil where nothing was downloaded yet.
    func database() throws(DownloadError) -> LocalDatabase? {
        let path = DownloadOptions.ownArchive(in: folderPath)
        return try opened.withLock { (opened) throws(DownloadError) in
            guard access(path, F_OK) == 0 else {
                opened = nil
                return nil
            }
            if let opened { return opened }
            let database = try DownloadArchive.open(path)
            opened = database
            return database
        }
    }

    func read<Result>(_ database: LocalDatabase, _ body: (Database) throws -> Result) throws(DownloadError) -> Result {
        do { return try database.readOnce(body) } catch { throw DownloadArchive.failure(error) }
    }

    private func write<Result>(
        _ database: LocalDatabase, _ body: (Database) throws -> Result
    ) throws(DownloadError) -> Result {
        do { return try database.write(body) } catch { throw DownloadArchive.failure(error) }
    }
}
