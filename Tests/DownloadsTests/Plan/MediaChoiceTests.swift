import ProviderModel
import Testing

@testable import Downloads

@Suite struct MediaChoiceTests {
    @Test(arguments: [
        (MediaChoice.role(.original), [Media.Role.small, .large], Media.Role.large),
        (.role(.regular), [.original, .large, .small], .large),
        (.role(.regular), [.small, .thumbnail], .small),
        (.role(.thumbnail), [.original, .small], .small),
        (.role(.small), [.original, .thumbnail], .original),
        (.role(.large), [.original, .large], .large),
    ])
    func nextBestSizeIsTaken(_ choice: MediaChoice, _ roles: [Media.Role], _ expected: Media.Role) {
        var item = Item.invented()
        item.media = roles.map { Media.invented($0) }
        #expect(choice.media(among: item.media)?.role == expected)
    }

    @Test(arguments: [
        (1000, Media.Role.regular), (1080, .regular), (1500, .large), (1490, .regular), (9999, .original),
        (1, .thumbnail),
    ])
    func nearestWidthIsTaken(_ width: Int, _ expected: Media.Role) {
        var item = Item.invented()
        let widths: [(Media.Role, Int)] = [(.original, 4000), (.large, 1920), (.regular, 1080), (.thumbnail, 150)]
        item.media = widths.map { .invented($0.0, width: $0.1) }
        #expect(MediaChoice.width(width).media(among: item.media)?.role == expected)
    }

    @Test func sizeThatIsNotMeasuredIsLargerThanOneTooSmall() {
        var item = Item.invented()
        item.media = [.invented(.original), .invented(.thumbnail, width: 150)]
        #expect(MediaChoice.width(1920).media(among: item.media)?.role == .original)
        #expect(MediaChoice.width(150).media(among: item.media)?.role == .thumbnail)
    }

    @Test func fileWithoutAMarkIsPreferred() {
        var item = Item.invented()
        item.media = [.invented(.large, path: "/marked", watermarked: true), .invented(.large, path: "/clean")]
        #expect(MediaChoice.role(.large).media(among: item.media)?.url.path == "/clean")
    }

    @Test func itemWithoutFilesIsAnError() {
        var item = Item.invented()
        item.media = []
        let error = #expect(throws: DownloadError.self) {
            try DownloadRequest.requests(for: item, from: .bareURLs, index: 1)
        }
        #expect(error?.code == .noMedia)
    }

    @Test func idsThatBecomeOneNameStayApart() throws {
        let template = try NameTemplate("{id}")
        let paths = try ["a/b", "a:b", "a-b"].map { id in
            template.plan(try DownloadRequest.requests(for: .invented(id: id), from: .bareURLs, index: 1)[0]).path
        }
        #expect(Set(paths).count == 3)
        #expect(paths[2] == "a-b.jpg")
    }
}
