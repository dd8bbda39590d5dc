import ArgumentParser
import Testing

@testable import Commands

@Suite struct ListenAddressTests {
    @Test(arguments: [
        ("127.0.0.1:8080", "127.0.0.1", 8_080), ("localhost:0", "localhost", 0), ("[::1]:65535", "::1", 65_535),
        ("0.0.0.0:80", "0.0.0.0", 80),
    ])
    func addressHasAHostAndAPort(text: String, host: String, port: Int) throws {
        let address = try ListenAddress(text)
        #expect(address.host == host && address.port == port)
    }

    @Test(arguments: [
        "", "8080", ":8080", "localhost", "localhost:", "localhost:65536", "localhost:-1", "localhost:http",
    ])
    func otherTextsAreNone(text: String) {
        #expect(throws: (any Error).self) { try ListenAddress(text) }
    }

    @Test(arguments: [["gallery", "--dry-run"], ["serve", "--token-file", "t", "--trace"], ["serve"]])
    func optionsThatMeanNothingToAServerAreRefused(arguments: [String]) {
        #expect(throws: (any Error).self) { try ImgScriptCommand.parseAsRoot(arguments) }
    }
}
