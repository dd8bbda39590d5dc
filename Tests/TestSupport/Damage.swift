import Foundation

/// Changes to files as a disk, a copy or another program makes them, by chance that is the same in every run.
package enum Damage {
    /// How often a test damages its files: a few hundred times, or as often as `IMGSCRIPT_DAMAGE_ROUNDS` says.
    package static var rounds: Int {
        ProcessInfo.processInfo.environment["IMGSCRIPT_DAMAGE_ROUNDS"].flatMap { Int($0) } ?? 150
    }

    /// The bytes with a few flipped bits, with an end cut off, or with two pieces in each other's place.
    package static func change(_ bytes: [UInt8], using generator: inout SeededGenerator) -> [UInt8] {
        var bytes = bytes
        guard bytes.count > 64 else {
            bytes[Int.random(in: 0..<bytes.count, using: &generator)] ^= 1 << UInt8.random(in: 0..<8, using: &generator)
            return bytes
        }
        switch Int.random(in: 0..<10, using: &generator) {
        case 0: bytes.removeLast(Int.random(in: 1..<bytes.count, using: &generator))
        case 1, 2:
            let length = Int.random(in: 1...32, using: &generator)
            let places = (0..<2).map { _ in Int.random(in: 0...(bytes.count - length), using: &generator) }
            for offset in 0..<length { bytes.swapAt(places[0] + offset, places[1] + offset) }
        default:
            for _ in 0..<Int.random(in: 1...3, using: &generator) {
                let place = Int.random(in: 0..<bytes.count, using: &generator)
                bytes[place] ^= 1 << UInt8.random(in: 0..<8, using: &generator)
            }
        }
        return bytes
    }
}

/// A database with what lies beside it: closed, or as a killed process leaves it.
package struct DatabaseFiles: Sendable {
    private let files: [(path: String, bytes: [UInt8])]

    /// Reads all files of the database at a path.
    package init(_ path: String) {
        files = ["", "-wal", "-shm", "-journal"].map { (path + $0, FolderListing.bytes(of: path + $0)) }
            .filter { !$0.bytes.isEmpty }
    }

    /// The endings of the names of those that are there.
    package var endings: [String] { files.map { String($0.path.dropFirst(files[0].path.count)) } }

    /// Writes them to where they were, one of them damaged, into a folder that has nothing else.
    package func write(damagedBy generator: inout SeededGenerator) throws {
        let folder = URL(filePath: files[0].path).deletingLastPathComponent()
        try? FileManager.default.removeItem(at: folder)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let hit = Int.random(in: 0..<files.count, using: &generator)
        for (number, file) in files.enumerated() {
            let bytes = number == hit ? Damage.change(file.bytes, using: &generator) : file.bytes
            try Data(bytes).write(to: URL(filePath: file.path))
        }
    }
}
