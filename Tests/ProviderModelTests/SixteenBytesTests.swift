import Testing

@testable import ProviderModel

@Suite("Texts are looked through sixteen bytes at a time")
struct SixteenBytesTests {
    @Test(arguments: 0..<40)
    func firstOfTwoCharactersIsFoundWhereverItStands(_ place: Int) {
        for character in ["\"", "\\"] {
            for other in [UInt8(0), 0x21, 0x23, 0x5b, 0x5d, 0x7f, 0xa2, 0xdc, 0xff] {
                var bytes = [UInt8](repeating: other, count: 40)
                bytes[place] = Array(character.utf8)[0]
                bytes.withUnsafeBufferPointer { bytes in
                    #expect(bytes.firstIndex(of: "\"", or: "\\", from: 0) == place)
                    #expect(bytes.firstIndex(of: "\"", or: "\\", from: place) == place)
                    #expect(bytes.firstIndex(of: "\"", or: "\\", from: place + 1) == 40)
                }
            }
        }
    }

    @Test(arguments: UInt8(0x21)..<0x7f)
    func everyCharacterOfAPathIsKeptOrEncodedWhereverItStands(_ byte: UInt8) throws {
        let encoded = "\"<>\\^`{|}".utf8.contains(byte)
        let character = String(UnicodeScalar(byte))
        let written = encoded ? "%" + String(byte, radix: 16, uppercase: true) : character
        for place in 0..<40 {
            let (before, after) = (String(repeating: "a", count: place), String(repeating: "~", count: 40 - place))
            let url = try WebURL("https://a.example/" + before + character + after)
            #expect(url.description == "https://a.example/" + before + written + after)
        }
    }

    @Test(arguments: 0..<40)
    func characterBeyondASCIIIsEncodedWhereverItStands(_ place: Int) throws {
        let (before, after) = (String(repeating: "a", count: place), String(repeating: "~", count: 40 - place))
        let url = try WebURL("https://a.example/" + before + "é" + after)
        #expect(url.description == "https://a.example/" + before + "%C3%A9" + after)
    }
}
