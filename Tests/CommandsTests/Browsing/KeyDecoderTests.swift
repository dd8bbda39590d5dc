import Testing

@testable import Commands

@Suite("Keys are read however they arrive")
struct KeyDecoderTests {
    static let sequences: [(String, [Key])] = [
        ("\u{1b}[A", [Key.up]), ("\u{1b}OB", [.down]), ("\u{1b}[1;5C", [.right]),
        ("\u{1b}[5~\u{1b}[6~", [.pageUp, .pageDown]),
        ("\u{1b}[H\u{1b}[4~", [.home, .end]), ("\r\n", [.enter, .enter]), ("\u{7f}\t", [.backspace, .tab]),
        ("\u{03}", [.control("c")]), ("é咖", [.character("é"), .character("咖")]),
        // A sequence that no key has, and a control of C1 in UTF-8, are none.
        ("\u{1b}[200~a\u{9b}b", [.character("a"), .character("b")]),
        ("\u{1b}j", [.escape, .character("j")]),
    ]

    @Test(arguments: sequences)
    func sequenceIsAKey(text: String, keys: [Key]) {
        var decoder = KeyDecoder()
        #expect(decoder.decode(Array(text.utf8)) == keys)
        #expect(!decoder.isWaiting)
    }

    @Test func pieceOfASequenceWaitsForTheRest() {
        var decoder = KeyDecoder()
        for byte in Array("\u{1b}[6".utf8) {
            #expect(decoder.decode([byte]) == [])
            #expect(decoder.isWaiting)
        }
        #expect(decoder.decode(Array("~".utf8)) == [.pageDown])
        #expect(decoder.decode(Array("咖".utf8.prefix(2))) == [])
        #expect(decoder.decode(Array("咖".utf8.suffix(1))) == [.character("咖")])
    }

    @Test func escapeAloneIsAKeyWhenNothingFollows() {
        var decoder = KeyDecoder()
        #expect(decoder.decode([0x1b]) == [] && decoder.isWaiting)
        #expect(decoder.flush() == [.escape] && !decoder.isWaiting)
    }

    @Test func anyBytesAreReadToTheirEnd() {
        for first in UInt8.min...UInt8.max {
            for second in UInt8.min...UInt8.max {
                var decoder = KeyDecoder()
                _ = decoder.decode([first, second, 0x41, 0x41, 0x41, 0x41])
                _ = decoder.flush()
                #expect(!decoder.isWaiting, "\(first) \(second)")
            }
        }
        var decoder = KeyDecoder()
        _ = decoder.decode([0x1b, 0x5b] + [UInt8](repeating: 0x30, count: 10_000))
        #expect(!decoder.isWaiting, "a sequence without an end is dropped")
    }
}
