import ProviderModel
import Testing

@Suite("Differences of JSON values")
struct JSONDifferenceTests {
    @Test func differencesNameTheirPaths() throws {
        let before = try JSONValue(parsing: #"{"a":1,"b":[1,2],"c":{"odd name":true}}"#.utf8)
        let after = try JSONValue(parsing: #"{"c":{"odd name":false},"b":[1,3,4],"d":null}"#.utf8)
        let paths = JSONDifference(from: before, to: after).changes.map(\.path)
        #expect(paths == ["$.a", "$.b[1]", "$.b[2]", "$.c['odd name']", "$.d"])
    }
}
