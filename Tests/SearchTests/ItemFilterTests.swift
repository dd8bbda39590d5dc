import ProviderModel
import Testing

@testable import Search

@Suite("A filter lets through what is wanted")
struct ItemFilterTests {
    private let item = Item(provider: ProviderID("fake")!, id: "1")

    /// By it a resumed search knows that another filter left images out.
    @Test func everyConditionIsPartOfTheIdentity() throws {
        let expressions = try ["width > 1", "width > 2"].map { try FilterExpression($0) }
        let changes: [(inout ItemFilter) -> Void] = [
            { $0.tags = ["red"] }, { $0.excludedTags = ["red"] }, { $0.since = FilterDate("2024") },
            { $0.until = FilterDate("2024") }, { $0.minimumWidth = 1 }, { $0.minimumHeight = 1 },
            { $0.minimumPixels = 1 }, { $0.aspect = AspectRatio("landscape") }, { $0.mediaFormats = ["png"] },
            { $0.kinds = [.video] }, { $0.licenses = ["cc0"] }, { $0.excludesAIGenerated = true },
            { $0.expression = expressions[0] },
        ]
        #expect(changes.count == Mirror(reflecting: ItemFilter()).children.count, "one change for each property")
        let others: [(inout ItemFilter) -> Void] = [
            { $0.expression = expressions[1] }, { $0.aspect = AspectRatio("portrait") }, { $0.tags = ["red", "blue"] },
            { $0.kinds = [.video, .audio] }, { _ in },
        ]
        let identities = (changes + others).map { change in
            var filter = ItemFilter()
            change(&filter)
            return filter.identity
        }
        #expect(Set(identities).count == identities.count, "\(identities)")
        #expect(ItemFilter().identity == "")
    }

    @Test func identityHasNeitherCaseNorOrderOfWords() {
        var (filter, other) = (ItemFilter(), ItemFilter())
        (filter.tags, other.tags) = (["Red", "blue"], ["BLUE", "red"])
        (filter.licenses, other.licenses) = (["cc0", "CC-BY"], ["cc-by", "cc0"])
        (filter.kinds, other.kinds) = ([.video, .audio, .image], [.image, .video, .audio])
        #expect(filter.identity == other.identity)
    }

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

    @Test(arguments: [
        (["red"], false), (["RED"], false), (["pear"], true), (["re"], true), (["pear", "apple"], false),
    ])
    func noExcludedTagMayBeThere(_ tags: [String], admitted: Bool) {
        var (item, filter) = (item, ItemFilter())
        item.tags = ["Red", "apple"]
        filter.excludedTags = tags
        #expect(filter.admits(item) == admitted)
    }

    @Test(
        arguments: [
            ("2024-05-10", nil, true), ("2024-05-11", nil, false), (nil, "2024-05-10", true),
            (nil, "2024-05-09", false), ("2024-05", "2024-05", true), ("2024", "2023", false),
        ] as [(String?, String?, Bool)])
    func dateOfCreationIsWithinTheBounds(since: String?, until: String?, admitted: Bool) {
        var (item, filter) = (item, ItemFilter())
        item.created = "2024-05-10T08:00:00Z"
        filter.since = since.flatMap { FilterDate($0) }
        filter.until = until.flatMap { FilterDate($0) }
        #expect(filter.admits(item) == admitted)
        item.created = nil
        #expect(!filter.admits(item))
    }

    @Test(arguments: [(true, false), (false, true), (nil, true)] as [(Bool?, Bool)])
    func aiGeneratedImagesAreLeftOutWhereTheSourceSaysSo(_ isAIGenerated: Bool?, admitted: Bool) {
        var (item, filter) = (item, ItemFilter())
        item.isAIGenerated = isAIGenerated
        #expect(filter.admits(item))
        filter.excludesAIGenerated = true
        #expect(filter.admits(item) == admitted)
        #expect(!filter.isEmpty && ItemFilter().replacing(filter).excludesAIGenerated)
    }

    /// Museums often know no more than the year.
    @Test func yearMayBeAnyOfItsDays() {
        var (item, filter) = (item, ItemFilter())
        item.created = "2024"
        filter.since = FilterDate("2024-06-01")
        #expect(filter.admits(item))
        filter.since = FilterDate("2025-01-01")
        #expect(!filter.admits(item))
    }

    @Test(arguments: [
        ("landscape", 1_920, 1_080, true), ("landscape", 1_000, 1_000, false), ("portrait", 1_080, 1_920, true),
        ("portrait", 1_920, 1_080, false), ("square", 1_000, 990, true), ("square", 1_000, 900, false),
        ("16:9", 1_920, 1_080, true), ("16:9", 1_366, 768, true), ("16:9", 1_600, 1_200, false),
        ("4:3..16:9", 1_500, 1_000, true), ("4:3..16:9", 2_100, 900, false),
    ])
    func shapeIsThatOfTheLargestFile(_ aspect: String, width: Int, height: Int, admitted: Bool) throws {
        var (item, filter) = (item, ItemFilter())
        var (thumbnail, original) = (
            Media(role: .thumbnail, url: try WebURL("https://example.com/t.jpg")),
            Media(role: .original, url: try WebURL("https://example.com/o.jpg"))
        )
        (thumbnail.width, thumbnail.height) = (100, 100)
        (original.width, original.height) = (width, height)
        item.media = [thumbnail, original]
        filter.aspect = AspectRatio(aspect)
        #expect(filter.aspect != nil)
        #expect(filter.admits(item) == admitted)
    }

    @Test(arguments: ["", "wide", "16", "16:", "0:9", "16:9:1", "16:9..4:3", "16:9..", "-1:2", "nan:1"])
    func otherTextsAreNoShapes(_ text: String) { #expect(AspectRatio(text) == nil) }

    @Test func pixelsAreThoseOfOneFile() throws {
        var (item, filter) = (item, ItemFilter())
        var file = Media(role: .original, url: try WebURL("https://example.com/"))
        (file.width, file.height) = (2_000, 1_000)
        item.media = [file]
        filter.minimumPixels = 2_000_000
        #expect(filter.admits(item))
        filter.minimumPixels = 2_000_001
        #expect(!filter.admits(item))
    }

    @Test(
        arguments: [
            ("jpeg", "image/jpeg", "x", true), ("jpg", "JPEG", "x", true), ("png", "jpeg", "x.png", false),
            ("png", nil, "x.PNG", true), ("png", nil, "x", false), ("jpeg", "unheard", "x.jpg", true),
        ] as [(String, String?, String, Bool)])
    func formatIsTheSourcesWordOrTheFilesExtension(
        _ wanted: String, _ format: String?, _ file: String, admitted: Bool
    ) throws {
        var (item, filter) = (item, ItemFilter())
        var media = Media(role: .original, url: try WebURL("https://example.com/\(file)"))
        media.format = format
        item.media = [media]
        filter.mediaFormats = ["webp", wanted]
        #expect(filter.admits(item) == admitted)
    }

    @Test(arguments: [
        ("https://a.example/x.png", true), ("https://a.example/x.jpg", false), ("https://a.example/x.php?id=1", nil),
        ("https://a.example/x", nil),
    ])
    func formatOfAFileIsThatOfItsAddress(_ url: String, _ expected: Bool?) throws {
        var filter = ItemFilter()
        filter.mediaFormats = ["png"]
        #expect(filter.admits(fileAt: try WebURL(url)) == expected)
    }

    @Test(arguments: [
        (#"host = "a.example""#, true), (#"name = "y""#, false), (#"not license"#, nil), ("width > 1", nil),
        (#"name = "y" or width > 1"#, nil),
    ])
    func expressionAboutAFileAsksForItsAddressAlone(_ expression: String, _ expected: Bool?) throws {
        var filter = ItemFilter()
        filter.expression = try FilterExpression(expression)
        #expect(filter.admits(fileAt: try WebURL("https://a.example/x.png")) == expected)
    }

    @Test func conditionThatAnAddressDoesNotAnswerIsUnknown() throws {
        let url = try WebURL("https://a.example/x.png")
        #expect(ItemFilter().admits(fileAt: url) == true)
        for change: (inout ItemFilter) -> Void in [
            { $0.licenses = ["cc0"] }, { $0.minimumWidth = 1 }, { $0.tags = ["a"] }, { $0.excludedTags = ["a"] },
            { $0.since = FilterDate("2020") }, { $0.aspect = AspectRatio("square") },
        ] {
            var filter = ItemFilter()
            change(&filter)
            #expect(filter.admits(fileAt: url) == nil)
        }
    }
}
