import Foundation
import Testing

@testable import ProviderModel

@Suite("An item is written with the contract's names")
struct ItemJSONTests {
    private func json(_ item: Item) -> String {
        var writer = JSONWriter()
        item.write(to: &writer)
        return writer.text
    }

    @Test func absentFieldsAreLeftOut() {
        let item = Item(provider: ProviderID("fake")!, id: "1", type: .collection)
        #expect(json(item) == #"{"provider":"fake","id":"1","type":"collection","media":[]}"#)
        #expect(item.contractJSON.description == #"{"id":"1","type":"collection","media":[]}"#)
    }

    /// An item with every field.
    private func wholeItem() throws -> Item {
        var item = Item(provider: ProviderID("fake")!, id: "1")
        item.title = "T"
        item.description = "D"
        item.page = try WebURL("https://example.com/1")
        item.tags = ["a", "b"]
        item.author = Author(name: "N", id: "n", url: try WebURL("https://example.com/n"))
        item.license = License(id: "cc0-1.0", name: "CC0", url: try WebURL("https://example.com/l"))
        item.created = "2024-05-01"
        var location = Location()
        (location.name, location.city, location.country) = ("L", "C", "K")
        (location.latitude, location.longitude) = (1.5, -2)
        item.location = location
        var camera = Camera()
        (camera.make, camera.model, camera.lens, camera.exposure) = ("M", "O", "E", "1/250")
        (camera.aperture, camera.focalLength, camera.iso) = ("4.5", "35", 100)
        item.camera = camera
        item.colors = ["#ffffff"]
        item.stats = [Statistic(name: "views", value: 7)]
        var file = Media(role: .original, url: try WebURL("https://example.com/1.jpg"))
        (file.width, file.height, file.bytes, file.format) = (3, 2, 9, "jpeg")
        (file.expires, file.isWatermarked, file.headers) = ("2024-05-02T00:00:00Z", false, [NamedValue("Referer", "x")])
        item.media = [file]
        (item.rating, item.isAIGenerated) = (.safe, false)
        item.extra = JSONText(validated: #"{"x":[1]}"#)
        return item
    }

    @Test func everyFieldIsWritten() throws {
        let item = try wholeItem()
        #expect(
            json(item)
                == #"{"provider":"fake","id":"1","type":"image","title":"T","description":"D","#
                + #""page":"https://example.com/1","tags":["a","b"],"#
                + #""author":{"name":"N","id":"n","url":"https://example.com/n"},"#
                + #""license":{"id":"cc0-1.0","name":"CC0","url":"https://example.com/l"},"created":"2024-05-01","#
                + #""location":{"name":"L","city":"C","country":"K","latitude":1.5,"longitude":-2},"#
                + #""camera":{"make":"M","model":"O","lens":"E","exposure":"1/250","aperture":"4.5","#
                + ##""focalLength":"35","iso":100},"colors":["#ffffff"],"stats":{"views":7},"##
                + #""media":[{"role":"original","url":"https://example.com/1.jpg","width":3,"height":2,"bytes":9,"#
                + #""format":"jpeg","expires":"2024-05-02T00:00:00Z","watermarked":false,"headers":{"Referer":"x"}}],"#
                + #""rating":"safe","aiGenerated":false,"extra":{"x":[1]}}"#)
    }

    @Test func whatIsWrittenIsReadAgain() throws {
        let item = try wholeItem()
        #expect(try Item(json: Array(json(item).utf8)) == item)
    }

    @Test func anyCoderCanBeUsed() throws {
        let item = try wholeItem()
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        let text = try encoder.encode([item])
        #expect(
            try JSONValue(parsing: text).withSortedMembers
                == JSONValue.array([try JSONValue(parsing: json(item).utf8)]).withSortedMembers)
        #expect(try JSONDecoder().decode([Item].self, from: text) == [item])
        #expect(throws: DecodingError.self) { try JSONDecoder().decode(Item.self, from: Data(#"{"id":"1"}"#.utf8)) }
    }

    /// JSON has them, and a double has not.
    @Test func numberBeyondADoubleIsNullForOtherCoders() throws {
        let text = #"{"provider":"fake","id":"1","media":[],"extra":{"far":[1E420,-1e999,1e308,1e-420]}}"#
        let item = try Item(json: Array(text.utf8))
        #expect(json(item).contains("[1E420,-1e999,1e308,1e-420]"))
        let again = try JSONDecoder().decode(Item.self, from: JSONEncoder().encode(item))
        #expect(again.extra?.description == #"{"far":[null,null,1e+308,0]}"#)
    }

    @Test func itemWrittenByHandNeedsLittle() throws {
        let text = #" { "provider" : "fake", "id" : 7, "note" : 1, "created" : "yesterday", "tags" : null } "#
        let item = try Item(json: Array(text.utf8))
        #expect(item.id == "7" && item.type == .image && item.media.isEmpty && item.extra == nil)
        #expect(item.created == "yesterday")
    }

    @Test(arguments: [
        (#"{"id":"1"}"#, "provider: expected a provider's name, found nothing"),
        (#"{"provider":"Fake","id":"1"}"#, "provider: expected a provider's name, found \"Fake\""),
        (#"{"provider":"fake","id":"1","media":[{}]}"#, "media[0].url: expected an absolute URL, found nothing"),
        (#"{"provider":"fake","id":"1","media":[{"url":7}]}"#, "media[0].url: expected an absolute URL, found 7"),
        (#"{"provider":"fake","id":"1","author":[]}"#, "author: expected an author, found an array"),
        (#"{"provider":"fake","id":"1""#, "expected \",\" or \"}\" at byte 27"),
        ("[]", "expected an object, found an array"),
    ])
    func whatIsNoItemIsReported(_ text: String, _ message: String) {
        let error = #expect(throws: ContractViolation.self) { try Item(json: Array(text.utf8)) }
        #expect(error?.text == message)
    }

    @Test func namesOfFieldsAreThoseOfTheSchema() {
        let names = [
            "provider", "id", "type", "title", "author", "author.name", "license.url", "location.city", "camera",
            "camera.iso", "tags", "rating", "url", "width", "name", "index", "media.url", "media.0.bytes",
            "media.large.watermarked", "stats.views",
        ]
        #expect(names.allSatisfy { ItemField($0) != nil })
        #expect(
            ["media", "stats", "extra", "author.x", "media.x.url", "media.headers", ""].allSatisfy {
                ItemField($0) == nil
            })
    }
}
