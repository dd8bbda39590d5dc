import ProviderModel
import Testing

struct HexadecimalTests {
    @Test(arguments: [[], [0], [0x0f, 0xa0, 0xff]] as [[UInt8]])
    func bytesAreReadBack(bytes: [UInt8]) {
        #expect(bytes.hexadecimal.utf8.count == bytes.count * 2)
        #expect(bytes.hexadecimal.hexadecimalBytes == bytes)
    }

    @Test(arguments: [("0FA0ff", [0x0f, 0xa0, 0xff]), ("0", nil), ("0g", nil), ("é", nil)] as [(String, [UInt8]?)])
    func digitsAreOfEitherCaseAndInPairs(text: String, bytes: [UInt8]?) {
        #expect(text.hexadecimalBytes == bytes)
    }
}
