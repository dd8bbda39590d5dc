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

    @Test func everyFieldIsWritten() throws {
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
        item.rating = .safe
        item.extra = JSONText(validated: #"{"x":[1]}"#)
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
                + #""rating":"safe","extra":{"x":[1]}}"#)
    }
}
