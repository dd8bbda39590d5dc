import Crypto
import LocalDatabase
import ProviderModel

extension DownloadLibrary {
    /// Files that look alike, and how many have not been looked at yet.
    package struct Alike: Sendable {
        /// The paths of files that look alike, together.
        package var groups: [[String]] = []
        /// The number of pictures that have not been compared yet.
        package var remaining = 0
        /// Why pictures cannot be compared; then groups are of files with the same content.
        package var obstacle: String?
    }

    /// Finds files with the same content or pictures that look alike.
    ///
    /// What pictures look like is computed once and kept in the archive, as far as `time` allows.
    package func alike(within time: Duration) async throws -> Alike {
        var alike = Alike()
        guard let database = try database() else { return alike }
        let folder = try DownloadFolder(path: folderPath)
        var records = try distinctRecords(in: database).filter { folder.hasFile(at: $0.path) }
        try addDigests(to: &records, in: folder)
        do {
            alike.remaining = try await hash(&records, in: folder, database, within: time)
        } catch let error as DownloadError where error.code == .pictures { alike.obstacle = error.message }
        alike.groups = PictureGroups(records).paths
        return alike
    }

    /// A record of each file, with its hash where one of its records has one.
    private func distinctRecords(in database: LocalDatabase) throws(DownloadError) -> [ArchiveRecord] {
        let sql = """
            SELECT key, url, sha256, bytes, min(time) AS time, path, content,
                (SELECT max(picture) FROM media AS other WHERE other.path = media.path) AS picture
            FROM media GROUP BY path ORDER BY min(time), path
            """
        return try read(database) { try Row.fetchAll($0, sql: sql).map { ArchiveRecord($0) } }
    }

    /// Computes the digests of files that have the same length as another, where none was stored.
    private func addDigests(to records: inout [ArchiveRecord], in folder: DownloadFolder) throws(DownloadError) {
        let byLength = Dictionary(grouping: records.indices) { records[$0].bytes }
        for index in byLength.values.filter({ $0.count > 1 }).joined() where records[index].sha256 == nil {
            guard let descriptor = folder.file(at: records[index].path) else { continue }
            let file = DescriptorContent(owning: descriptor)
            var hasher = Crypto.SHA256()
            for offset in stride(from: 0, to: file.count, by: 1 << 20) {
                hasher.update(data: try file.bytes(at: offset, count: 1 << 20))
            }
            records[index].sha256 = Array(hasher.finalize())
        }
    }

    /// Computes hashes that are missing; returns how many still are.
    private func hash(
        _ records: inout [ArchiveRecord], in folder: DownloadFolder, _ database: LocalDatabase, within time: Duration
    ) async throws -> Int {
        let missing = records.indices.filter { index in
            let record = records[index]
            guard record.picture == nil, let format = Self.format(of: record.path) else { return false }
            return PictureProgram.readable.contains(format) && !hasNoHash(record)
        }
        guard !missing.isEmpty else { return 0 }
        let program = try PictureProgram()
        let archive = DownloadArchive(database)
        let end = ContinuousClock.now + time
        var rest = missing[...]
        while let index = rest.first, .now < end {
            rest.removeFirst()
            guard let descriptor = folder.file(at: records[index].path) else { continue }
            let file = DescriptorContent(owning: descriptor)
            guard let hash = try await PictureHash(of: file, Self.format(of: records[index].path), by: program) else {
                noteWithoutHash(records[index])
                continue
            }
            records[index].picture = hash
            archive.add(records[index])
        }
        try archive.flush()
        return rest.count
    }
}

/// Files in groups that have the same content or look alike.
struct PictureGroups {
    /// The paths of each group of more than one, in the order of the records.
    let paths: [[String]]

    init(_ records: [ArchiveRecord]) {
        var parents = Array(records.indices)
        func root(_ index: Int) -> Int {
            var index = index
            while parents[index] != index {
                parents[index] = parents[parents[index]]
                index = parents[index]
            }
            return index
        }
        func join(_ index: Int, _ other: Int) {
            let (first, second) = (root(index), root(other))
            parents[max(first, second)] = min(first, second)
        }
        var byContent: [[UInt8]: Int] = [:]
        var byPiece = PictureHash.pieces.map { _ in [Int64: [Int]]() }
        for (index, record) in records.enumerated() {
            if let content = record.sha256 {
                if let other = byContent[content] { join(index, other) } else { byContent[content] = index }
            }
            guard let picture = record.picture else { continue }
            for (place, piece) in PictureHash.pieces.enumerated() {
                let value = picture.value(of: piece)
                for other in byPiece[place][value] ?? [] where root(other) != root(index) {
                    let distance = records[other].picture?.distance(to: picture) ?? .max
                    if distance <= PictureHash.limit { join(index, other) }
                }
                byPiece[place][value, default: []].append(index)
            }
        }
        let groups = Dictionary(grouping: records.indices) { root($0) }
        paths = groups.sorted { $0.key < $1.key }.map { $0.value.map { records[$0].path } }.filter { $0.count > 1 }
    }
}
