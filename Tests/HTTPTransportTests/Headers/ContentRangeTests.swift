import HTTPTransport
import Testing

@Suite struct ContentRangeTests {
    @Test(
        arguments: [
            ("bytes 0-9/10", 0..<10, 10), ("Bytes 5-5/10", 5..<6, 10), ("bytes 0-0/*", 0..<1, nil),
        ] as [(String, Range<Int>, Int?)])
    func contentRangesAreRead(_ text: String, _ bytes: Range<Int>, _ total: Int?) {
        #expect(ContentRange(text)?.bytes == bytes)
        #expect(ContentRange(text)?.completeLength == total)
    }

    @Test(arguments: [
        "", "bytes", "bytes */10", "bytes 5-4/10", "bytes 0-10/10", "bytes -1-5/10", "bytes 0-9", "items 0-9/10",
        "bytes 0-9/ten", "bytes 0-99999999999999999999/*", "bytes 0-9223372036854775807/*", "bytes 1-2-3/9",
        "bytes 0-9//10",
    ])
    func contentRangesWithoutSenseAreNone(_ text: String) { #expect(ContentRange(text) == nil) }
}
