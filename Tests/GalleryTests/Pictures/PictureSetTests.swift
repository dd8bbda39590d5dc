import ImgScript
import ProviderModel
import Testing

@testable import Gallery

@Suite("The file that is shown fits its place")
struct PictureSetTests {
    private func item(_ files: [(Media.Role, Int?, String?)]) throws -> Item {
        var item = Item(provider: try #require(ProviderID("loop")), id: "1")
        item.media = try files.enumerated().map { index, file in
            var media = Media(role: file.0, url: try WebURL("https://loop.example/\(index)"))
            media.width = file.1
            media.format = file.2
            return media
        }
        return item
    }

    private func chosen(_ files: [(Media.Role, Int?, String?)]) throws -> [String: String] {
        let set = PictureSet(try item(files))
        return Dictionary(uniqueKeysWithValues: set.named.map { ($0.0, String($0.1.url.description.suffix(1))) })
    }

    @Test func sizesAreChosenByWidth() throws {
        let files: [(Media.Role, Int?, String?)] = [
            (.original, 6_000, nil), (.large, 2_000, nil), (.regular, 1_000, nil), (.small, 400, nil),
            (.thumbnail, 150, nil),
        ]
        #expect(try chosen(files) == ["thumbnail": "3", "preview": "1", "full": "0"])
    }

    @Test func rolesStandInForUnknownWidths() throws {
        let files: [(Media.Role, Int?, String?)] = [
            (.original, nil, nil), (.large, nil, nil), (.regular, nil, nil), (.small, nil, nil), (.thumbnail, nil, nil),
        ]
        #expect(try chosen(files) == ["thumbnail": "3", "preview": "1", "full": "0"])
    }

    @Test func formatsThatBrowsersDoNotShowAreLeftOut() throws {
        #expect(
            try chosen([(.original, 9_000, "tiff"), (.large, 900, "JPEG")]) == [
                "thumbnail": "1", "preview": "1", "full": "1",
            ])
        #expect(try chosen([(.original, 9_000, "svg")]) == [:])
        #expect(try chosen([]) == [:])
    }

    @Test func addressHoldsItsFileAndNothingElse() throws {
        let addresses = PictureAddresses()
        let provider = try #require(ProviderID("loop"))
        var media = Media(role: .small, url: try WebURL("https://loop.example/a?b=c"))
        media.headers = [NamedValue("Referer", "https://loop.example/")]
        media.width = 40
        let path = addresses.path(of: media, from: provider)
        let name = String(path.dropFirst(PictureAddresses.root.count + 1))
        guard case .picture(let found, let source) = addresses.target(of: name) else {
            Issue.record("the address is of no picture")
            return
        }
        #expect(source == provider && found.url == media.url && found.headers == media.headers)
        #expect(PictureAddresses().target(of: name) == nil, "another process's")
        #expect(addresses.target(of: "A" + name.dropFirst()) == nil)
    }

    @Test func addressOfAFileIsOfThatFile() {
        let addresses = PictureAddresses()
        func target(_ path: String) -> PictureAddresses.Target? {
            addresses.target(of: String(path.dropFirst(PictureAddresses.root.count + 1)))
        }
        #expect(target(addresses.path(ofFile: "a/b.jpg", version: "1")) == .file("a/b.jpg"))
        #expect(target(addresses.path(ofFile: "a/b.jpg", version: "1", isThumbnail: true)) == .thumbnail("a/b.jpg"))
    }

    @Test(arguments: [
        ("bytes=0-", 0..<4), ("bytes=2-3", 2..<4), ("bytes=8-", 8..<10), ("bytes=-3", 7..<10), ("bytes=-99", 0..<4),
        ("bytes=4-99", 4..<8), ("bytes=10-", nil),
    ])
    func partOfAFileHasItsBounds(text: String, expected: Range<Int>?) throws {
        #expect(try #require(ByteRange(text)).bounds(of: 10, upTo: 4) == expected)
    }

    @Test(arguments: [
        "bytes=", "bytes=3-2", "bytes=a-b", "items=0-1", "bytes=0-1,3-4", "bytes=-0", "bytes=--1",
        "bytes=9223372036854775807-", "bytes=99999999999999999999-",
    ])
    func othersThanOneRangeOfBytesAreNone(text: String) { #expect(ByteRange(text) == nil) }

    @Test func serverIsAskedForNoMoreThanAPart() throws {
        #expect(try #require(ByteRange("bytes=5-")).field(upTo: 4) == "bytes=5-8")
        #expect(try #require(ByteRange("bytes=5-6")).field(upTo: 4) == "bytes=5-6")
        #expect(try #require(ByteRange("bytes=-9")).field(upTo: 4) == "bytes=-4")
    }

    @Test func sampleHasTheProportionsOfItsFile() {
        let picture = SamplePicture(for: "https://loop.example/1", width: 400, height: 200).bytes
        #expect(picture.starts(with: [0x89, 0x50, 0x4e, 0x47]))
        #expect(Array(picture[16..<24]) == [0, 0, 0, 32, 0, 0, 0, 16])
    }
}
