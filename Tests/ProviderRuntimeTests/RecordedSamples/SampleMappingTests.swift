import ProviderModel
import Testing

@Suite("Where fields stand in recorded answers")
struct SampleMappingTests {
    private static let json = """
        {"total": 2, "hits": [
          {"id": 7, "user": {"name": "Ann"}, "tags": "tea, pot", "labels": [{"t": "a"}, {"t": "b"}], "width": 640.5,
           "open": true, "none": null, "a.b": "dotted"},
          {"id": 8}
        ]}
        """

    @Test(
        arguments: [
            ("@.id", .one("7")), ("@.width", .one("640.5")), ("@.open", .one("true")), ("@['a.b']", .one("dotted")),
            ("$.hits[-1].id", .one("8")), ("$.hits[1].id", .one("8")), ("@.labels[*].t", .list(["a", "b"])),
            ("https://x.example/{@.user.name}/{@.id}", .one("https://x.example/Ann/7")), ("cc0-1.0", .one("cc0-1.0")),
            ("@.none", nil), ("@.missing", nil), ("$.hits[2].id", nil), ("a {@.missing}", nil),
            (SampleMapping("@.tags").split(by: ", "), .list(["tea", "pot"])),
            (SampleMapping("@.tags").matching(", (.)"), .one("p")), (SampleMapping("@.id").listed, .list(["7"])),
            (.computed("@.id", "$.total") { $0[0] / $0[1] }, .one("3.5")), (.capture(#""name": "(\w+)""#), .one("Ann")),
            (SampleMapping("{@.id}/").followed(by: "@.tags"), .one("7/tea, pot")), (.header("x-total"), .one("12")),
            (SampleMapping("//b/@c").in("sizes"), .one("1")),
        ] as [(SampleMapping, SampleMapping.Value?)])
    func jsonIsReadByPath(_ mapping: SampleMapping, gives value: SampleMapping.Value?) throws {
        let bodies = ["": Self.json, "sizes": "<a><b c='1'/></a>"]
        let entry = try #require(try SampleReading(of: bodies, headers: ["x-total": "12"]).entries(at: "$.hits").first)
        #expect(try mapping.value(entry) == value)
    }

    @Test(
        arguments: [
            ("@id", .one("7")), ("./title", .one("Tea & pot")), ("//list/@total", .one("2")),
            ("//item/@id", .list(["7", "8"])), ("x-{@id}", .one("x-7")), ("@none", nil),
            ("./*[local-name()='thumb']/@url", .one("t.jpg")),
        ] as [(SampleMapping, SampleMapping.Value?)])
    func xmlIsReadByXPath(_ mapping: SampleMapping, gives value: SampleMapping.Value?) throws {
        let xml = """
            <?xml version="1.0"?>
            <list total="2" xmlns:m="urn:m"><item id="7"><title>Tea &amp; pot</title><m:thumb url="t.jpg"/></item>
            <item id="8"/></list>
            """
        let entry = try #require(try SampleReading(of: ["": xml]).entries(at: "//item").first)
        #expect(try mapping.value(entry) == value)
    }

    @Test func jsonInsideACallIsRead() throws {
        let reading = try SampleReading(of: ["": "call({\n\"a\": \"it\\'s\"})\n"])
        #expect(try SampleMapping("$.a").value(reading) == .one("it's"))
    }

    @Test func brokenPathIsAnError() throws {
        let reading = try SampleReading(of: ["": Self.json])
        #expect(throws: SampleError.self) { try SampleMapping("$.hits[x]").value(reading) }
        #expect(throws: SampleError.self) { try reading.entries(at: "$.total") }
    }

    @Test func everyFieldOfAnItemHasItsPath() throws {
        var item = Item(provider: ProviderID("made")!, id: "7")
        item.tags = ["a", "b"]
        item.author = Author(name: "Ann")
        item.media = [Media(role: .small, url: try WebURL("https://x.example/1"))]
        item.extra = JSONText(validated: #"{"left":"out"}"#)
        #expect(
            try item.fields == [
                "id": "7", "type": "image", "tags[0]": "a", "tags[1]": "b", "author.name": "Ann",
                "media[0].role": "small", "media[0].url": "https://x.example/1",
            ])
    }
}
