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

    private func fill() throws {
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
        try store.finish(isComplete: false)
    }

    @Test(arguments: ["00000.tar.part", "00000.tar"])
    func damagedShardHasNoWrongSample(name: String) throws {
        try fill()
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
            let warnings = WarningTexts()
            let store = try store(warnings)
            let samples = try images(in: FolderListing.bytes(of: shard))
            for (id, planned) in zip(Self.ids, planned) {
                guard let path = try store.existing(planned, underAnyEnding: false) else {
                    lost += 1
                    continue
                }
                let sample = String(path.dropFirst("00000.tar/".count))
                // Without an index nothing but its JSON says which file a whole image is.
                let wanted = index.isEmpty ? Self.ids.map(image) : [image(id)]
                try #require(samples[sample].map(wanted.contains) == true, "round \(round): \(path)")
            }
            try store.finish(isComplete: false)
            #expect(warnings.all.count <= 1, "round \(round): \(warnings.all)")
        }
        #expect(lost > 0 && lost < Damage.rounds * Self.ids.count / 2)
    }

    /// The images of a shard by their names, as other programs read them.
    private func images(in bytes: [UInt8]) throws -> [String: [UInt8]] {
        var reader = TarReader(MemoryContent(bytes))
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
