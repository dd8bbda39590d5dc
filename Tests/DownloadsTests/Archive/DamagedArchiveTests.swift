import Foundation
import LocalDatabase
import ProviderModel
import Synchronization
import TestSupport
import Testing

@testable import Downloads

/// Whatever happens to the database of a folder, no file is taken for another, and none is credited to another.
struct DamagedArchiveTests {
    private static let count = 24
    private let folder = TemporaryFolder()

    private var archivePath: String { "\(folder.path)/.imgscript/archive.sqlite" }

    private func record(_ number: Int) -> ArchiveRecord {
        ArchiveRecord(
            key: MediaKey(stored: "example:\(number):original"), url: "https://a.example/\(number)",
            sha256: [UInt8](repeating: UInt8(number), count: 32), bytes: number + 1_000, time: 5, path: "\(number).jpg")
    }

    private func entries() -> [CreditLedger.Entry] {
        let source = ItemSource("https://a.example")
        return source.requests((0..<Self.count).map { source.item("\($0)", title: "Fox \($0)") }).enumerated().map {
            ($1.key, "\($0).jpg", Credit($1, from: $1.media))
        }
    }

    /// The lines of the file of credits, each of one image.
    private func lines(_ database: LocalDatabase) throws -> Set<Substring> {
        try? FileManager.default.removeItem(atPath: folder.path + "/credits.json")
        let ledger = try CreditLedger(folder: DownloadFolder(path: folder.path), formats: [.json], in: database)
        try ledger.update()
        let text = (try? String(contentsOfFile: folder.path + "/credits.json", encoding: .utf8)) ?? ""
        let lines = text.split(separator: "\n").filter { $0.contains(#""path":"#) }
        return Set(lines.map { $0.hasSuffix(",") ? $0.dropLast() : $0 })
    }

    /// Some of the records, in a transaction, and their credits in another.
    private func fill(_ numbers: Range<Int>) throws -> LocalDatabase {
        let database = try DownloadArchive.open(archivePath)
        let archive = DownloadArchive(database)
        for number in numbers { archive.add(record(number)) }
        try archive.flush()
        let ledger = try CreditLedger(folder: DownloadFolder(path: folder.path), formats: [.json], in: database)
        try ledger.store(Array(entries()[numbers]))
        return database
    }

    @Test(arguments: [false, true])
    func damagedArchiveIsNeverWrong(wasKilled: Bool) throws {
        for number in 0..<Self.count { FolderListing.write("x", to: "\(folder.path)/\(number).jpg") }
        try fill(0..<Self.count / 2).close()
        let database = try fill(Self.count / 2..<Self.count)
        let whole = try lines(database)
        #expect(whole.count == Self.count)
        let killed = DatabaseFiles(archivePath)
        database.close()
        let files = wasKilled ? killed : DatabaseFiles(archivePath)
        #expect(files.endings == (wasKilled ? ["", "-wal", "-shm"] : [""]))
        var generator = SeededGenerator(seed: 11)
        var kept: [Int] = []
        for round in 0..<Damage.rounds {
            try files.write(damagedBy: &generator)
            let warnings = Mutex<[String]>([])
            let database = try DownloadArchive.open(archivePath) { text in warnings.withLock { $0.append(text) } }
            try check(DownloadArchive(database), round)
            let found = try lines(database)
            try #require(found.isSubset(of: whole), "round \(round): \(found.subtracting(whole))")
            #expect(found == whole || !warnings.withLock(\.isEmpty), "round \(round): \(found.count) credits")
            if !warnings.withLock(\.isEmpty) { kept.append(found.count) }
            database.close()
            #expect(warnings.withLock(\.count) <= 1, "round \(round): \(warnings.withLock(\.self))")
        }
        #expect(
            kept.contains(wasKilled ? whole.count / 2 : whole.count - 1),
            "a row is lost, or what is in the log, and the others are kept")
    }

    private func check(_ archive: DownloadArchive, _ round: Int) throws {
        let records = (0..<Self.count).map(record)
        let paths = try archive.paths(of: records.map(\.key))
        let items = records.map { Item(provider: ProviderID("example")!, id: "\($0.bytes - 1_000)") }
        let all = try archive.records(ofItems: items)
        for (number, wanted) in records.enumerated() {
            let found = [
                try archive.record(of: wanted.key), all[wanted.key],
                try archive.records(withContent: wanted.content ?? [], bytes: wanted.bytes).first,
            ]
            try #require(found.allSatisfy { $0 == nil || $0 == wanted }, "round \(round): \(found)")
            try #require(paths[number] == nil || paths[number] == wanted.path, "round \(round)")
        }
        try #require(all.allSatisfy { records.contains($0.value) && $0.key == $0.value.key }, "round \(round)")
    }
}
