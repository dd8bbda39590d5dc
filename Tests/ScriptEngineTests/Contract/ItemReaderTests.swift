import ProviderModel
import Testing

@testable import ScriptEngine

@Suite("Items are read as the contract says")
struct ItemReaderTests {
    @Test(arguments: [
        ("id: 7.5", "id: expected a string that is not empty, or a whole number, found 7.5"),
        (
            "id: 1e60",
            "id: expected a string that is not empty, or a whole number below 2^53, found 1e+60, which may be rounded; "
                + "read it as text, with res.text (see \"Large numbers\" in docs/provider-contract.md)"
        ),
        ("id: '7-undefined'", "id: expected an id, found \"7-undefined\", as of a missing field of the response"),
        ("id: `${{}}`", "id: expected an id, found \"[object Object]\", as of a missing field of the response"),
        ("id: true", "id: expected a string that is not empty, or a whole number, found true"),
        ("id: ''", "id: expected a string that is not empty, or a whole number, found \"\""),
        ("id: undefined", "id: expected a string that is not empty, or a whole number, found undefined"),
        ("id: null", "id: expected a string that is not empty, or a whole number, found null"),
        ("type: 'photo'", "type: expected one of image, animation, video, collection, found \"photo\""),
        ("media: undefined", "media: expected an array of media, found undefined"),
        ("media: {}", "media: expected an array of media, found an object"),
        ("media: [7]", "media[0]: expected a media entry, found 7"),
        ("title: 7", "title: expected a string, found 7"),
        ("title: NaN", "title: expected a string, found NaN"),
        ("description: ['x']", "description: expected a string, found an array"),
        ("page: '/photos/1'", "page: expected an absolute URL, found \"/photos/1\""),
        ("page: 'ftp://example.com/'", "page: expected an absolute URL, found \"ftp://example.com/\""),
        (
            "page: 'https://u:p@example.com/'",
            "page: expected an absolute URL, found \"https://***@example.com/\", which carries a user name"
        ),
        ("page: ''", "page: expected an absolute URL, found an empty string"),
        (
            "page: `https:${undefined}`",
            "page: expected an absolute URL, found \"undefined\", as of a missing field of the response"
        ),
        ("tags: 'a, b'", "tags: expected an array of strings, found \"a, b\""),
        ("tags: ['a', 7]", "tags[1]: expected a string, found 7"),
        ("tags: ['a', null]", "tags[1]: expected a string, found null"),
        ("tags: ['a', undefined]", "tags[1]: expected a string, found undefined"),
        ("author: 'Ann'", "author: expected an author, found \"Ann\""),
        ("author: {}", "author.name: expected a string that is not empty, found undefined"),
        ("author: { name: '' }", "author.name: expected a string that is not empty, found \"\""),
        (
            "author: { name: 'Ann', id: [7] }",
            "author.id: expected a string that is not empty, or a whole number, found an array"
        ),
        ("author: { name: 'Ann', url: 'x' }", "author.url: expected an absolute URL, found \"x\""),
        ("license: { name: 'CC0' }", "license.id: expected a string that is not empty, found undefined"),
        ("license: { id: 'cc0', url: 7 }", "license.url: expected an absolute URL, found 7"),
        ("created: 'yesterday'", "created: expected an ISO 8601 date (see parseDate), found \"yesterday\""),
        ("created: '2024-13-01'", "created: expected an ISO 8601 date (see parseDate), found \"2024-13-01\""),
        ("created: 1714521600", "created: expected an ISO 8601 date (see parseDate), found 1714521600"),
        ("location: 'Paris'", "location: expected a location, found \"Paris\""),
        ("location: { latitude: 91 }", "location.latitude: expected degrees from -90 to 90, found 91"),
        ("location: { longitude: '2' }", "location.longitude: expected degrees from -180 to 180, found \"2\""),
        ("location: { latitude: NaN }", "location.latitude: expected degrees from -90 to 90, found NaN"),
        ("camera: { iso: 0 }", "camera.iso: expected a whole number above 0, found 0"),
        ("camera: { iso: '100' }", "camera.iso: expected a whole number above 0, found \"100\""),
        ("camera: { aperture: 4.5 }", "camera.aperture: expected a string, found 4.5"),
        ("colors: ['red']", "colors[0]: expected a colour as #rrggbb, found \"red\""),
        ("colors: ['#12345g']", "colors[0]: expected a colour as #rrggbb, found \"#12345g\""),
        ("stats: [1]", "stats: expected an object of numbers, found an array"),
        ("stats: { views: '7' }", "stats.views: expected a number, found \"7\""),
        ("stats: { views: Infinity }", "stats.views: expected a number, found Infinity"),
        ("rating: 'nsfw'", "rating: expected one of safe, sensitive, questionable, explicit, found \"nsfw\""),
        ("extra: 7", "extra: expected an object, found 7"),
        (
            "author: { name: 'A\\ud800' }",
            "author.name: expected whole characters, found a lone surrogate (\\ud800); use toWellFormed()"
        ),
    ])
    func badFieldIsReportedWithItsPath(_ fields: String, _ message: String) {
        let engine = TestEngine()
        let expression = "{ id: '1', type: 'image', media: [], \(fields) }"
        #expect(
            violation { _ = try engine.read(expression) { reader throws(ContractViolation) in try Item(&reader) } }
                == message)
    }

    @Test(arguments: [
        ("role: 'huge'", "media[0].role: expected one of original, large, regular, small, thumbnail, found \"huge\""),
        (
            "role: undefined",
            "media[0].role: expected one of original, large, regular, small, thumbnail, found undefined"
        ),
        ("url: undefined", "media[0].url: expected an absolute URL, found undefined"),
        ("url: null", "media[0].url: expected an absolute URL, found null"),
        ("url: '//cdn.example.com/1.jpg'", "media[0].url: expected an absolute URL, found \"//cdn.example.com/1.jpg\""),
        (
            "url: 'https://exa mple.com/'",
            "media[0].url: expected an absolute URL, found \"https://exa mple.com/\", whose host is not valid"
        ),
        (
            "url: 'https://example.com:99999/'",
            "media[0].url: expected an absolute URL, found \"https://example.com:99999/\", whose port is not a number up to 65535"
        ),
        ("width: 0", "media[0].width: expected a whole number of pixels, found 0"),
        ("width: 1000001", "media[0].width: expected a whole number of pixels, at most 1000000, found 1000001"),
        ("width: 1.5", "media[0].width: expected a whole number of pixels, found 1.5"),
        ("height: '7'", "media[0].height: expected a whole number of pixels, found \"7\""),
        ("bytes: -1", "media[0].bytes: expected a whole number of bytes, found -1"),
        ("format: 7", "media[0].format: expected a string, found 7"),
        ("expires: 'soon'", "media[0].expires: expected an ISO 8601 date (see parseDate), found \"soon\""),
        ("watermarked: 'yes'", "media[0].watermarked: expected true or false, found \"yes\""),
        ("headers: 'x'", "media[0].headers: expected an object of strings, found \"x\""),
        ("headers: { Referer: 7 }", "media[0].headers.Referer: expected a string, found 7"),
    ])
    func badMediaIsReportedWithItsPath(_ fields: String, _ message: String) {
        let engine = TestEngine()
        let expression = "{ id: '1', type: 'image', media: [{ role: 'large', url: 'https://a.example/', \(fields) }] }"
        #expect(
            violation { _ = try engine.read(expression) { reader throws(ContractViolation) in try Item(&reader) } }
                == message)
    }

    @Test func wholeItemIsRead() throws {
        let item = try TestEngine().read(
            """
            { id: 'ä1', type: 'collection', title: 'T "q" \\n', description: null, page: 'HTTPS://Example.com/a b',
              tags: ['x', 'y'], author: { name: 'Ann', id: '7', url: 'https://example.com/ann', followers: 3 },
              license: { id: 'cc0-1.0' }, created: '2024-05-01T12:00:00Z', location: { city: 'Paris', latitude: 48.85, longitude: 2.35 },
              camera: { make: 'X', iso: 100 }, colors: ['#00ff7F'], stats: { views: 7, likes: null },
              media: [{ role: 'original', url: 'https://a.example/1.jpg', width: 10, height: 20, bytes: 30, format: 'jpeg',
                        expires: '2030-01-01', watermarked: false, headers: { Referer: 'https://example.com/' }, md5: 'x' }],
              rating: 'safe', extra: { a: [1, { b: null }] }, unknown: { deep: true }, absent: null }
            """
        ) { reader throws(ContractViolation) in try Item(&reader) }
        #expect(item.id == "ä1" && item.type == .collection && item.title == "T \"q\" \n" && item.description == nil)
        #expect(item.page?.description == "https://example.com/a%20b")
        #expect(item.author == Author(name: "Ann", id: "7", url: try WebURL("https://example.com/ann")))
        #expect(item.stats == [Statistic(name: "views", value: 7)])
        #expect(item.media[0].headers == [NamedValue("Referer", "https://example.com/")])
        #expect(item.media[0].isWatermarked == false && item.media[0].bytes == 30)
        #expect(item.location?.latitude == 48.85 && item.camera?.iso == 100 && item.rating == .safe)
        #expect(
            item.extra?.description
                == #"{"author.followers":3,"media[0].md5":"x","a":[1,{"b":null}],"unknown":{"deep":true}}"#)
    }

    @Test(arguments: [
        "2024", "2024-05", "2024-05-01", "2024-05-01T12:00", "2024-05-01T12:00:00.123Z", "2024-05-01T12:00:00+02:00",
    ])
    func datesOfAllPrecisionsAreTaken(_ date: String) throws {
        let item = try TestEngine().read("{ id: '1', type: 'image', media: [], created: '\(date)' }") {
            reader throws(ContractViolation) in
            try Item(&reader)
        }
        #expect(item.created == date)
    }

    @Test(arguments: [("7", "7"), ("-3", "-3"), ("9007199254740991", "9007199254740991"), ("'07'", "07")])
    func numberIsAnIdToo(_ value: String, _ id: String) throws {
        let expression = "{ id: \(value), type: 'image', media: [], author: { name: 'Ann', id: \(value) } }"
        let item = try TestEngine().read(expression) { reader throws(ContractViolation) in try Item(&reader) }
        #expect(item.id == id)
        #expect(item.author?.id == id)
    }
}
