import ProviderModel
import TestSupport
import Testing

@testable import Downloads

@Suite struct ImageCheckTests {
    @Test(arguments: [
        (ImageBytes.jpeg(), MediaFormat.jpeg), (ImageBytes.jpeg(thumbnail: true), .jpeg), (ImageBytes.png(), .png),
        (ImageBytes.gif(), .gif), (ImageBytes.webp(), .webp), (ImageBytes.avif(), .avif), (ImageBytes.bmp(), .bmp),
    ])
    func imagesAreKnownWithTheirSize(_ bytes: [UInt8], _ format: MediaFormat) throws {
        let check = try ImageCheck(BytesContent(bytes), of: .invented(.original, width: 40, height: 30))
        #expect(check.format == format)
        #expect(check.size == ImageSize(width: 40, height: 30))
    }

    @Test func whatCamerasAppendDoesNoHarm() throws {
        let film = [UInt8](repeating: 7, count: 300_000)
        #expect(try ImageCheck(BytesContent(ImageBytes.jpeg() + film), of: .invented()).format == .jpeg)
        #expect(try ImageCheck(BytesContent(ImageBytes.jpeg() + [0, 0, 0x0a]), of: .invented()).format == .jpeg)
        #expect(try ImageCheck(BytesContent(ImageBytes.png() + [0, 1, 2]), of: .invented()).format == .png)
        #expect(try ImageCheck(BytesContent(ImageBytes.gif() + [0, 0]), of: .invented()).format == .gif)
    }

    @Test(arguments: [
        ("<!DOCTYPE html><html><head><title>Access\n denied</title>", "a web page (\"Access denied\")"),
        ("  <html lang=en>", "a web page"),
        ("<?xml version='1.0'?><Error><Code>NoSuchKey</Code></Error>", "text (\"<?xml"),
        ("{\"error\":\"rate limit\"}", "JSON (\"{\"error\":\"rate limit\"}\")"), ("Not found", "text (\"Not found\")"),
        ("", "nothing"), ("\u{1}\u{2}abc", "begins with the bytes 01 02 61 62 63"),
        ("BMX is a sport", "text (\"BMX"), ("PK\u{3}\u{4}\u{0}", "a ZIP archive"), ("%PDF-1.7", "a PDF document"),
    ])
    func whatIsNoImageIsNamed(_ text: String, _ found: String) {
        let error = #expect(throws: DownloadError.self) {
            try ImageCheck(BytesContent(Array(text.utf8)), of: .invented())
        }
        #expect(error?.code == .content)
        #expect(error?.message.contains(found) == true, "\(error?.message ?? "")")
    }

    @Test(arguments: [
        "<svg/>", "<?xml version='1.0'?>\n<!-- made by hand -->\n<!DOCTYPE svg>\n<svg></svg>",
        "\u{feff}<svg:svg></svg:svg>\n", "<drawing:svg xmlns:drawing='http://www.w3.org/2000/svg'></drawing:svg >",
        "<!DOCTYPE svg [<!ENTITY a '<html>]>'> <!-- '>]> --> <?a ]>?>]><svg><![CDATA[</svg>]]></svg>",
        "<!--\(String(repeating: "long ", count: 2_000))--><svg a='>'></svg>", "<svg width='1' height='1'/>",
    ])
    func vectorDrawingsAreKnown(_ text: String) throws {
        #expect(try ImageCheck(BytesContent(Array(text.utf8)), of: .invented()).format == .svg)
        let wide = text.utf16.map { $0 == 0xfeff ? 0x20 : $0 }
        let little = wide.flatMap { [UInt8($0 & 255), UInt8($0 >> 8)] }
        let big = wide.flatMap { [UInt8($0 >> 8), UInt8($0 & 255)] }
        for bytes in [little, big, [0xff, 0xfe] + little, [0xfe, 0xff] + big] where text.first != "\u{feff}" {
            #expect(try ImageCheck(BytesContent(bytes), of: .invented()).format == .svg)
        }
    }

    /// A page may hold drawings, and declarations within one another are none.
    @Test(arguments: [
        "<!DOCTYPE html><html><body><svg></svg></body></html>", "<!-- <svg> --><html/>",
        String(repeating: "<!", count: 100_000), "<p><svg/></p>", "<svgs/>",
    ])
    func pageWithADrawingIsNone(_ text: String) {
        let error = #expect(throws: DownloadError.self) {
            try ImageCheck(BytesContent(Array(text.utf8)), of: .invented())
        }
        #expect(error?.code == .content)
    }

    @Test(arguments: [
        (4000, 3000, "fits"), (3000, 4000, "fits"), (3998, 2999, "note"), (2000, 1500, "note"), (1200, 900, "note"),
        (800, 600, "note"), (100, 75, "note"), (75, 100, "note"), (300, 300, "placeholder"), (1, 1, "placeholder"),
        (4000, 2000, "note"),
    ])
    func sizeIsHeldAgainstTheListing(_ width: Int, _ height: Int, _ expected: String) {
        let found = SizeJudgement(
            found: ImageSize(width: width, height: height), media: .invented(.original, width: 4000, height: 3000))
        #expect(found.word == expected)
    }

    /// 4.5 pixels are 4 in one program and 5 in the next.
    @Test(arguments: [(150, 4, "note"), (150, 5, "note"), (4, 150, "note"), (150, 9, "placeholder")])
    func narrowPictureThatWasScaledIsTheSamePicture(_ width: Int, _ height: Int, _ expected: String) {
        let found = SizeJudgement(
            found: ImageSize(width: width, height: height), media: .invented(.original, width: 10_000, height: 300))
        #expect(found.word == expected)
    }

    @Test func singlePixelIsNoPictureWithoutAListingEither() {
        let error = #expect(throws: DownloadError.self) {
            try ImageCheck(BytesContent(ImageBytes.gif(width: 1, height: 1)), of: .invented())
        }
        #expect(error?.message.contains("placeholder") == true)
    }

    @Test func contentThatDiffersFromTheListingIsNoted() throws {
        var media = Media.invented(.large, width: 50, height: 30)
        media.format = "jpeg"
        media.bytes = 1
        let check = try ImageCheck(BytesContent(ImageBytes.png()), of: media)
        #expect(check.notes.count == 3)
        #expect(check.format == .png)
    }

    @Test func randomBytesNeverTrapTheReader() {
        var generator = SeededGenerator(seed: 1)
        for round in 0..<2_000 {
            let starts = [
                ImageBytes.jpeg(), ImageBytes.png(), ImageBytes.gif(), ImageBytes.webp(), ImageBytes.avif(),
                ImageBytes.bmp(), ImageBytes.tiff(pages: 2), ImageBytes.ico(), CodedImages.codestream,
                Array(CodedImages.sequential.dropLast(2)), Array(CodedImages.progressive.dropLast(2)),
            ]
            var bytes = starts[round % starts.count]
            for _ in 0..<4 {
                bytes[Int.random(in: 0..<bytes.count, using: &generator)] = .random(in: 0...255, using: &generator)
            }
            let count = Int.random(in: 0...bytes.count, using: &generator)
            // Most are refused; what counts is that every one comes to an end.
            _ = try? ImageCheck(BytesContent(Array(bytes.prefix(count))), of: .invented())
        }
    }
}

extension SizeJudgement {
    fileprivate var word: String {
        switch self {
        case .fits: "fits"
        case .differs: "note"
        case .placeholder: "placeholder"
        }
    }
}
