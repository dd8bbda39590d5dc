import Foundation
import TestSupport
import Testing

@testable import Packs

struct GzipMemberTests {
    /// Bytes of every kind: one, all alike, random, text, and so skewed that codes have to be shortened.
    static let samples: [[UInt8]] = {
        var chance = SeededGenerator(seed: 3)
        var skewed: [UInt8] = []
        var (count, next) = (1, 1)
        for symbol in 0..<24 {
            skewed += Array(repeating: UInt8(symbol), count: count)
            (count, next) = (next, count + next)
        }
        let words = (0..<4_000).map { _ in
            ["dog", "cat", "photo", "\n", "x\(Int.random(in: 0...999, using: &chance))"].randomElement(using: &chance)!
        }
        return [
            [7], Array(repeating: 0, count: 100_000), (0..<70_000).map { _ in .random(in: 0...255, using: &chance) },
            Array(words.joined(separator: " ").utf8), skewed.shuffled(using: &chance),
        ]
    }()

    @Test(arguments: samples)
    func everyByteComesBack(bytes: [UInt8]) throws {
        // libarchive is loaded by whoever reads an archive.
        #expect(throws: PackError.self) { try PackArchive([]).read() }
        #expect(try GzipReader(limits: .standard).content(of: GzipMember.wrapping(bytes)) == bytes)
    }

    @Test func bytesNeverChange() {
        // Whoever builds a signed pack anew has to get what was signed: these stay as they are.
        let text = Array("imgscript finds images, and images, and images.".utf8)
        #expect(
            Data(GzipMember.wrapping(text)).base64EncodedString()
                == "H4sIAAAAAAAA/23GwQkAIAwDwFUygLhTsVryaBHj/riA9zpmaBzui8VygWkx1WDln/cHKGL0jC8AAAA=")
    }

    @Test func textIsAboutAsSmallAsZlibMakesIt() {
        let text = Self.samples[4]
        #expect(GzipMember.wrapping(text).count < text.count / 2)
    }
}
