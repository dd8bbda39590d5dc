import ProviderModel
import Testing

@testable import Search

@Suite("A filter lets through what is wanted")
struct ItemFilterTests {
    private let item = Item(provider: ProviderID("fake")!, id: "1")

    @Test(arguments: [
        (["red"], true), (["RED", "Apple"], true), (["red", "pear"], false), (["re"], false), ([], true),
    ])
    func everyTagHasToBeThere(_ tags: [String], admitted: Bool) {
        var (item, filter) = (item, ItemFilter())
        item.tags = ["Red", "apple", "fruit"]
        filter.tags = tags
        #expect(filter.admits(item) == admitted)
    }

    @Test(
        arguments: [
            ("cc-by", "cc-by-4.0", true), ("cc-by", "cc-by", true), ("CC-BY", "cc-by-2.0", true),
            ("cc-by", "cc-by-nc-4.0", false), ("cc-by", "cc-by-sa-4.0", false), ("cc-by-nc", "cc-by-nc-4.0", true),
            ("cc-by-4.0", "cc-by-4.0", true), ("cc-by-4.0", "cc-by-2.0", false), ("cc0", "cc0-1.0", true),
            ("cc", "cc0-1.0", false), ("cc", "cc-by-4.0", false), ("cc-by", nil, false),
            ("unsplash", "unsplash-plus", false),
        ] as [(String, String?, Bool)])
    func licenceIsTheWantedOneOrAVersionOfIt(_ wanted: String, _ id: String?, admitted: Bool) {
        var (item, filter) = (item, ItemFilter())
        item.license = id.map { License(id: $0) }
        filter.licenses = ["pdm", wanted]
        #expect(filter.admits(item) == admitted)
    }

    @Test(
        arguments: [
            (800, nil, true), (801, nil, false), (nil, 600, true), (nil, 601, false), (800, 600, true),
            (400, 601, false),
        ] as [(Int?, Int?, Bool)])
    func oneFileHasToBeLargeEnough(width: Int?, height: Int?, admitted: Bool) throws {
        var (item, filter) = (item, ItemFilter())
        for size in [(400, 300), (800, 600)] {
            var file = Media(role: .large, url: try WebURL("https://example.com/"))
            (file.width, file.height) = size
            item.media.append(file)
        }
        (filter.minimumWidth, filter.minimumHeight) = (width, height)
        #expect(filter.admits(item) == admitted)
    }

    @Test func unknownSizeIsNotLargeEnough() throws {
        var (item, filter) = (item, ItemFilter())
        item.media = [Media(role: .large, url: try WebURL("https://example.com/"))]
        filter.minimumWidth = 1
        #expect(!filter.admits(item))
    }
}
