import ProviderModel
import Testing

@testable import Commands

struct ItemDetailsTests {
    private static let full: Item = {
        var item = InventedItems.latin
        item.author?.url = InventedItems.url("https://pixabay.com/users/jane/")
        item.description = """
            A white cup of black coffee stands on an old wooden table.

            Taken in 早晨的光线下，一张旧木桌上放着一杯黑咖啡。
            """
        item.created = "2024-03-01T08:30:00Z"
        var place = Location()
        (place.city, place.country, place.latitude, place.longitude) = ("Lisbon", "Portugal", 38.72, -9.14)
        item.location = place
        var camera = Camera()
        (camera.make, camera.model) = ("Canon", "Canon EOS 5D")
        (camera.aperture, camera.exposure, camera.focalLength, camera.iso) = ("2.8", "1/250", "50", 400)
        item.camera = camera
        item.tags = ["coffee", "cup", "table"]
        item.colors = ["#aabbcc", "#3a2b1c"]
        item.stats = [Statistic(name: "views", value: 1_234_567), Statistic(name: "rating", value: 4.5)]
        item.rating = .safe
        item.media[0].bytes = 2_431_000
        item.media[0].format = "jpeg"
        var small = InventedItems.media(.small, "https://cdn.example.com/171653-small.jpg")
        (small.width, small.isWatermarked, small.expires) = (640, true, "2024-03-02")
        item.media.append(small)
        return item
    }()

    @Test(arguments: [(44, narrow), (120, broad)])
    func everyFieldIsLaidOut(width: Int, expected: String) {
        let text = details(of: Self.full, on: .colored(width), attribution: "Image by Jane Miller on Pixabay")
        #expect(text.seen == expected + "\n")
    }

    @Test func missingFieldsLeaveNoTrace() {
        #expect(details(of: InventedItems.bare, on: .pipe) == "untitled\nwikimedia-commons:4\n")
    }

    @Test func hostileTextIsHarmless() {
        var item = InventedItems.hostile
        let text = "\u{1b}]0;x\u{07}\u{9b}2J\u{202e}evil\r"
        item.description = text
        item.tags = [text]
        item.created = text
        item.colors = [text]
        item.stats = [Statistic(name: text, value: 1)]
        item.media[0].format = text
        item.license = License(id: text, name: text)
        item.extra = JSONText(validated: "{\"a\":\"\(text)\"}")
        let shown = details(of: item, on: .colorless(80), attribution: text)
        #expect(shown.unicodeScalars.allSatisfy { $0 == "\n" || $0.properties.generalCategory != .control })
        #expect(!shown.contains("\u{202e}"))
        #expect(shown.lines.allSatisfy { $0.displayWidth <= 80 })
    }

    private func details(of item: Item, on terminal: Terminal, attribution: String? = nil) -> String {
        ItemDetails(item, attribution: attribution).lines(on: terminal).map { $0 + "\n" }.joined()
    }

    private static let narrow = """
        Cup of coffee on a wooden table
        pixabay:171653
        https://pixabay.com/photos/coffee-cup-171653/

        Author   Jane Miller
                 https://pixabay.com/users/jane/
        Licence  Pixabay Content License  pixabay
        Created  2024-03-01T08:30:00Z
        Place    Lisbon, Portugal (38.72, -9.14)
        Camera   Canon EOS 5D · 50 mm · f/2.8 ·
                 1/250 s · ISO 400
        Tags     coffee, cup, table
        Colours  #aabbcc  #3a2b1c
        Counts   views 1,234,567 · rating 4.5
        Rating   safe

        A white cup of black coffee stands on an old
        wooden table.

        Taken in 早晨的光线下，一张旧木桌上放着一杯
        黑咖啡。

        File           Size  Format   Bytes
        original  4000×3000  jpeg    2.4 MB
          https://cdn.example.com/171653.jpg
        small      640 wide
          https://cdn.example.com/171653-small.jpg
          watermark, until 2024-03-02

        Credit  Image by Jane Miller on Pixabay
        """

    private static let broad = """
        Cup of coffee on a wooden table
        pixabay:171653
        https://pixabay.com/photos/coffee-cup-171653/

        Author   Jane Miller  https://pixabay.com/users/jane/
        Licence  Pixabay Content License  pixabay
        Created  2024-03-01T08:30:00Z
        Place    Lisbon, Portugal (38.72, -9.14)
        Camera   Canon EOS 5D · 50 mm · f/2.8 · 1/250 s · ISO 400
        Tags     coffee, cup, table
        Colours  #aabbcc  #3a2b1c
        Counts   views 1,234,567 · rating 4.5
        Rating   safe

        A white cup of black coffee stands on an old wooden table.

        Taken in 早晨的光线下，一张旧木桌上放着一杯黑咖啡。

        File           Size  Format   Bytes  URL                                       Notes
        original  4000×3000  jpeg    2.4 MB  https://cdn.example.com/171653.jpg
        small      640 wide                  https://cdn.example.com/171653-small.jpg  watermark, until 2024-03-02

        Credit  Image by Jane Miller on Pixabay
        """
}
