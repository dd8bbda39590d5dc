import Testing

@testable import Downloads

@Suite struct ShardSizeTests {
    @Test(arguments: [
        ("1GB", ShardSize.bytes(1_000_000_000)), ("500 mb", .bytes(500_000_000)), ("1.5GiB", .bytes(1_610_612_736)),
        ("10000", .samples(10_000)), ("2k", .bytes(2_000)),
    ])
    func sizesAreRead(_ text: String, _ expected: ShardSize) throws {
        #expect(try ShardSize(text) == expected)
    }

    @Test(arguments: ["", "0", "GB", "-1", "1.5", "3 parsecs", "9999999TB"])
    func whatIsNoSizeIsRefused(text: String) {
        let error = #expect(throws: DownloadError.self) { try ShardSize(text) }
        #expect(error?.message.contains("such as 1GB") == true)
    }
}
