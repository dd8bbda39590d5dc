import ProviderModel
import Testing

@testable import Downloads

@Suite struct InputPartTests {
    private static let provider = ProviderID("example")!

    /// These values are a promise: machines with other versions share the same input.
    @Test func partOfAKeyNeverChanges() throws {
        let expected = ["unsplash:abc": 2, "pixabay:171653": 5, "met:1": 7]
        for (key, number) in expected {
            let parts = key.split(separator: ":").map(String.init)
            let found = try (1...8).filter {
                try InputPart("\($0)/8").contains(Item(provider: ProviderID(parts[0])!, id: parts[1]))
            }
            #expect(found == [number], "\(key)")
        }
    }

    @Test(arguments: [1, 2, 7, 64])
    func everyItemIsInExactlyOnePart(count: Int) throws {
        let parts = try (1...count).map { try InputPart("\($0)/\(count)") }
        var sizes = [Int](repeating: 0, count: count)
        for id in 0..<6_400 {
            let holders = parts.indices.filter { parts[$0].contains(Item(provider: Self.provider, id: String(id))) }
            #expect(holders.count == 1)
            for holder in holders { sizes[holder] += 1 }
        }
        let mean = 6_400 / count
        #expect(sizes.allSatisfy { abs($0 - mean) < max(mean / 2, 8) }, "\(sizes)")
    }

    @Test func thoseWhoCountFromZeroHaveAllPartsToo() throws {
        #expect(try InputPart("0/8") == InputPart("8/8"))
        #expect(try InputPart("0/8").description == "8/8")
    }

    @Test(arguments: ["", "3", "9/8", "-1/8", "1/0", "a/b", "1/2/3", "1.5/2"])
    func whatIsNoPartIsRefused(text: String) {
        let error = #expect(throws: DownloadError.self) { try InputPart(text) }
        #expect(error?.message.contains("such as 3/8") == true)
    }
}
