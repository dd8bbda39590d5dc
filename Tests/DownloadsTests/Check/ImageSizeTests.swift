import TestSupport
import Testing

@testable import Downloads

/// The size of a picture, as decoders show it.
@Suite struct ImageSizeTests {
    private func size(_ bytes: [UInt8]) throws -> String? {
        try ImageCheck(BytesContent(bytes), of: .invented()).size?.description
    }

    private static let files: [[UInt8]] = [
        ImageBytes.jpeg(), CodedImages.sequential, CodedImages.progressive, ImageBytes.png(), ImageBytes.gif(),
        ImageBytes.webp(), ImageBytes.avif(), ImageBytes.bmp(), ImageBytes.bmp(headerLength: 12), ImageBytes.tiff(),
        ImageBytes.tiff(isLittle: false), ImageBytes.tiff(isLittle: false, isBig: true),
    ]

    @Test(arguments: files.indices)
    func everyFormatTellsItsSize(_ number: Int) throws {
        #expect(try size(Self.files[number]) == "40×30")
    }

    @Test func largestPictureOfAnIconCounts() throws {
        #expect(try size(ImageBytes.ico([16, 48, 32])) == "48×48")
    }

    @Test func codestreamTellsItsSizeAloneAndInABox() throws {
        let boxed = ImageBytes.box("JXL ", [13, 10, 0x87, 10]) + ImageBytes.box("jxlc", CodedImages.codestream)
        #expect(try size(CodedImages.codestream) == "300×40")
        #expect(try size(boxed) == "300×40")
    }

    private static let turn = ImageBytes.box("irot", [1])
    private static let halfTurn = ImageBytes.box("irot", [2])
    private static let mirror = ImageBytes.box("imir", [0])

    private static func crop(_ width: Int, _ height: Int) -> [UInt8] {
        ImageBytes.box("clap", [width, 1, height, 1, 0, 1, 0, 1].flatMap { ImageBytes.big($0, 4) })
    }

    @Test(arguments: [
        ([], "40×30"), ([turn], "30×40"), ([halfTurn, mirror], "40×30"), ([crop(20, 10)], "20×10"),
        ([crop(20, 10), turn], "10×20"),
        // Other properties before them may be long.
        ([ImageBytes.box("colr", [UInt8](repeating: 0, count: 60_000)), turn], "30×40"),
    ])
    func itemIsCroppedAndTurned(_ properties: [[UInt8]], _ expected: String) throws {
        #expect(try size(ImageBytes.avif(properties: properties)) == expected)
    }

    @Test(arguments: [
        ("width='40' height='30'", "40×30"), ("width='40px' height=\"30.4\"", "40×30"),
        ("viewBox='0 0 40 30'", "40×30"), ("width='100%' height='100%' viewBox='0,0,40,30'", "40×30"),
        ("width='20' viewBox='0 0 40 30'", "20×15"), ("height=\"15\"\n viewBox = '1 1 40 30'", "20×15"),
        ("width='1in' height='2.54cm'", "96×96"), ("width='30pt' height='15pt'", "40×20"), ("data-width='9'", nil),
        ("width='0' height='0'", nil), ("", nil),
    ])
    func drawingTellsItsSizeInPixels(_ attributes: String, _ expected: String?) throws {
        #expect(try size(Array("<svg \(attributes)/>".utf8)) == expected)
    }

    @Test func screenWithoutASizeHasThatOfTheFirstPicture() throws {
        var bytes = ImageBytes.gif()
        bytes.replaceSubrange(6..<10, with: [0, 0, 0, 0])
        #expect(try size(bytes) == "40×30")
    }
}
