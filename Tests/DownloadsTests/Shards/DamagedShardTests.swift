import Foundation
import ProviderModel
import Synchronization
import TestSupport
import Testing

@testable import Downloads

/// Whatever happens to an unfinished shard or to the index, no sample is taken for another, and none that is damaged is kept.
struct DamagedShardTests {
    private static let ids = (0..<6).map { "fox\($0)" }
    private let folder = TemporaryFolder()

    private func image(_ id: String) -> [UInt8] { ImageBytes.jpeg() + Array(id.utf8) }

    private func store(_ warnings: WarningTexts = WarningTexts()) throws -> ShardStore {
        try ShardStore(folder: DownloadFolder(path: folder.path), now: { 1 }, warning: { warnings.add($0) })
    }

    private var planned: [PlannedFile] {
        ItemSource("https://a.example").requests(Self.ids).map { NameTemplate.default.plan($0) }
    }

    /// A store with all samples in its shard, which is not finished.
    private func filled() throws -> ShardStore {
        let store = try store()
        for (id, planned) in zip(Self.ids, planned) {
            let (part, image) = (try store.open(planned), image(id))
            try image.withUnsafeBytes { try part.write($0, at: 0) }
            let file = FetchedFile(
                bytes: image.count, sha256: Hashes.sha256(image), format: .jpeg, size: nil, notes: [])
            let fetched = FetchedDownload(
                planned: planned, media: planned.request.media, url: "", part: part, file: file, content: file.sha256)
            _ = try store.keep(fetched, at: nil)
        }
        return store
    }

    @Test(arguments: ["00000.tar.part", "00000.tar"])
    func damagedShardHasNoWrongSample(name: String) throws {
        try filled().finish(isComplete: false)
        if name == "00000.tar" { try store().finish(isComplete: true) }
        let (shard, index) = ("\(folder.path)/\(name)", "\(folder.path)/.imgscript/shards.sqlite")
        let kept = (shard: FolderListing.bytes(of: shard), index: FolderListing.bytes(of: index))
        #expect(kept.shard.count > 6 * 1_024 && !kept.index.isEmpty)
        var generator = SeededGenerator(seed: 13)
        var lost = 0
        for round in 0..<Damage.rounds {
            try FileManager.default.removeItem(atPath: folder.path)
            try FileManager.default.createDirectory(
                atPath: folder.path + "/.imgscript", withIntermediateDirectories: true)
            // A whole shard is read where the index is gone.
            let hitsIndex = Int.random(in: 0..<2, using: &generator) == 0
            let rest = name.hasSuffix(".part") ? kept.index : []
            let index = hitsIndex ? Damage.change(kept.index, using: &generator) : rest
            if !index.isEmpty { try Data(index).write(to: URL(filePath: "\(folder.path)/.imgscript/shards.sqlite")) }
            let bytes = hitsIndex ? kept.shard : Damage.change(kept.shard, using: &generator)
            try Data(bytes).write(to: URL(filePath: shard))
            lost += try lostSamples(of: shard, hasIndex: !index.isEmpty, round)
        }
        #expect(lost > 0 && lost < Damage.rounds * Self.ids.count / 2)
    }

    /// As a killed process leaves them: what it noted last is in the log of the index alone.
    @Test func damagedLogOfTheIndexHasNoWrongSample() throws {
        let store = try filled()
        let shard = "\(folder.path)/00000.tar.part"
        let whole = FolderListing.bytes(of: shard)
        let files = DatabaseFiles("\(folder.path)/.imgscript/shards.sqlite")
        #expect(files.endings == ["", "-wal", "-shm"])
        try store.finish(isComplete: false)
        var generator = SeededGenerator(seed: 19)
        var lost = 0
        for round in 0..<Damage.rounds {
            try files.write(damagedBy: &generator)
            try Data(whole).write(to: URL(filePath: shard))
            lost += try lostSamples(of: shard, hasIndex: true, round)
        }
        #expect(lost < Damage.rounds * Self.ids.count / 2)
    }

    /// Requires that every sample which a store finds is that image; returns how many it does not find.
    private func lostSamples(of shard: String, hasIndex: Bool, _ round: Int) throws -> Int {
        let warnings = WarningTexts()
        let store = try store(warnings)
        let samples = try images(in: FolderListing.bytes(of: shard))
        var lost = 0
        for (id, planned) in zip(Self.ids, planned) {
            guard let path = try store.existing(planned, underAnyEnding: false) else {
                lost += 1
                continue
            }
            let sample = String(path.dropFirst("00000.tar/".count))
            // Without an index nothing but its JSON says which file a whole image is.
            let wanted = hasIndex ? [image(id)] : Self.ids.map(image)
            try #require(samples[sample].map(wanted.contains) == true, "round \(round): \(path)")
        }
        try store.finish(isComplete: false)
        #expect(warnings.all.count <= 1, "round \(round): \(warnings.all)")
        return lost
    }

    /// The images of a shard by their names, as other programs read them.
    private func images(in bytes: [UInt8]) throws -> [String: [UInt8]] {
        var reader = TarReader(BytesContent(bytes))
        var images: [String: [UInt8]] = [:]
        while let entry = try reader.next() { images[entry.name] = Array(bytes[entry.content]) }
        return images
    }
}

/// The texts that a store warned with.
private final class WarningTexts: Sendable {
    private let texts = Mutex<[String]>([])

    var all: [String] { texts.withLock(\.self) }

    func add(_ text: String) { texts.withLock { $0.append(text) } }
}
