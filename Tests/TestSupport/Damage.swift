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
