import TestSupport
import Testing

@testable import Downloads

/// Files that decoders take, those of which a part is missing, and those that no decoder takes.
@Suite struct ImageEndTests {
    private func check(_ bytes: [UInt8], length: ImageCheck.Length = .confirmed) throws -> ImageCheck {
        try ImageCheck(BytesContent(bytes), of: .invented(), length: length)
    }

    private func error(_ bytes: [UInt8], length: ImageCheck.Length = .confirmed) -> DownloadError? {
        #expect(throws: DownloadError.self) { try check(bytes, length: length) }
    }

    private static let drawing = Array("<svg><g><svg/></g><svg></svg><g></g><g></g></svg>".utf8)

    /// Whole files, each with the number of its bytes at the end that it can do without.
    private static let whole: [(bytes: [UInt8], needless: Int)] = [
        (CodedImages.sequential, 2), (CodedImages.progressive, 2), (ImageBytes.png(), 20),
        (ImageBytes.gif(images: 2), 1),
        (ImageBytes.webp(), 0), (ImageBytes.avif(), 0), (ImageBytes.bmp(), 0), (ImageBytes.bmp(headerLength: 12), 0),
        (ImageBytes.bmp(headerLength: 64), 0), (ImageBytes.tiff(pages: 2), 0), (ImageBytes.tiff(isLittle: false), 0),
        (ImageBytes.tiff(pages: 2, isBig: true), 0), (ImageBytes.ico(), 0), (CodedImages.codestream, 0),
        (ImageBytes.box("JXL ", [13, 10, 0x87, 10]) + ImageBytes.box("jxlc", CodedImages.codestream), 0), (drawing, 0),
    ]

    @Test(arguments: whole.indices)
    func fileIsWholeWithItsLastByteAndCutBefore(_ number: Int) throws {
        let (bytes, needless) = Self.whole[number]
        #expect(try check(bytes, length: .unknown).notes == [])
        for percent in [30, 60, 95] {
            let part = Array(bytes.prefix(min(bytes.count * percent / 100, bytes.count - needless - 1)))
            #expect(error(part)?.code == .damaged, "\(percent) of 100")
        }
        #expect(error(bytes.dropLast(needless + 1))?.code == .damaged)
    }

    /// A server that announced as much would send the same again.
    @Test(arguments: whole.indices.filter { whole[$0].needless > 0 })
    func fileWithoutItsEndMarkIsWholeWhereItsLengthWasAnnounced(_ number: Int) throws {
        let part = Array(Self.whole[number].bytes.dropLast(Self.whole[number].needless))
        #expect(try check(part).notes.first?.contains("no end mark") == true)
        #expect(error(part, length: .unknown)?.code == .damaged)
    }

    /// Whole files, each with what may follow its end.
    private static let followed: [(bytes: [UInt8], rest: [UInt8])] = [
        (ImageBytes.gif(), [0x0a]), (ImageBytes.gif(), [0x1a, 0, 0]), (ImageBytes.gif().dropLast() + [0, 0], [0x3b]),
        (ImageBytes.webp(), [0, 1, 2]), (ImageBytes.avif(), [1, 2, 3]), (ImageBytes.avif(), Array("behind it".utf8)),
        (ImageBytes.bmp(), [0, 0]), (ImageBytes.png(), [0x0a]), (CodedImages.sequential, [0x0a]),
        (ImageBytes.tiff(), [1]), (ImageBytes.ico(), [1]), (CodedImages.codestream, [1]),
        (drawing, Array("\n<!-- made by hand -->\n\0".utf8)),
    ]

    @Test(arguments: followed.indices)
    func bytesBehindTheEndDoNoHarm(_ number: Int) throws {
        let (bytes, rest) = Self.followed[number]
        let (alone, check) = (try self.check(bytes), try self.check(bytes + rest))
        #expect(check.format == alone.format && check.size == alone.size)
    }

    @Test func wrongLengthInTheHeadOfABitmapDoesNoHarm() throws {
        var bytes = ImageBytes.bmp()
        bytes.replaceSubrange(2..<6, with: [0xff, 0xff, 0xff, 0x7f])
        #expect(try check(bytes).size == ImageSize(width: 40, height: 30))
    }

    @Test func segmentOfAWrongLengthDoesNoHarm() throws {
        var bytes = CodedImages.sequential
        bytes.insert(contentsOf: [0xff, 0xe1, 0, 6, 1, 2, 3, 4, 5, 6, 7], at: 20)
        #expect(try check(bytes).size == ImageSize(width: 40, height: 30))
        #expect(try check(bytes).notes.first?.contains("another length") == true)
    }

    @Test func runsOfABitmapAreFollowedToItsLastRow() throws {
        // Two rows of four pixels: a run, three literal pixels with a filling byte, and one more.
        var bytes = Array(ImageBytes.bmp(width: 4, height: 2).prefix(54))
        bytes.replaceSubrange(28..<38, with: [8, 0, 1, 0, 0, 0, 0, 0, 0, 0])
        let runs: [UInt8] = [4, 7, 0, 0, 0, 3, 1, 2, 3, 0, 1, 9]
        #expect(try check(bytes + runs + [0, 1]).notes == [])
        #expect(try check(bytes + runs).notes == ["has no end mark"])
        #expect(error(bytes + runs.dropLast(2))?.code == .damaged)
        #expect(error(bytes + runs.dropLast(4))?.code == .damaged)
    }

    private static let empty: [(bytes: [UInt8], reason: String)] = [
        (Array(ImageBytes.webp().prefix(30)), "ends after"),
        (Array(ImageBytes.gif().prefix(25)) + [0x3b], "has no picture"),
        (ImageBytes.png(width: 0), "size is 0"), (ImageBytes.bmp(width: 0), "size is 0×30"),
        (ImageBytes.box("ftyp", Array("avif\0\0\0\0".utf8)) + ImageBytes.box("mdat", [1, 2]), "has no content"),
        ([0, 0, 0, 0] + ImageBytes.avif().dropFirst(4), "ends after"),
        (Array(ImageBytes.png().prefix(33)) + ImageBytes.png().suffix(12), "has no picture"),
    ]

    @Test(arguments: empty.indices)
    func fileWithoutAPictureIsDamaged(_ number: Int) {
        let message = error(Self.empty[number].bytes)?.message ?? ""
        #expect(message.contains(Self.empty[number].reason), "\(message)")
    }

    @Test func headOfAPNGIsCheckedByItsChecksumAndAgainstItsData() throws {
        var bytes = ImageBytes.png()
        bytes[17] = 0x7f
        #expect(error(bytes)?.message.contains("checksum") == true)
        let absurd = TestPicture.png(width: 30_000, height: 30_000, rows: [1, 2, 3])
        #expect(error(absurd)?.code == .damaged)
    }

    @Test func dataOfAPNGAreCheckedByTheirChecksum() throws {
        var bytes = ImageBytes.png()
        bytes[bytes.count / 2] ^= 1
        #expect(error(bytes)?.message.contains("the checksum of its data is wrong") == true)
    }

    @Test(arguments: [
        ("<svg xmlns='http://www.w3.org/2000/svg'/>", true), ("<svg/>", true),
        ("<a:svg xmlns:a='http://www.w3.org/2000/svg'/>", true),
        ("<!DOCTYPE svg [<!ENTITY ns 'http://www.w3.org/2000/svg'>]><svg xmlns='&ns;'/>", true),
        ("<svg xmlns='http://www.w3.org/1999/xhtml'/>", false),
        ("<a:svg xmlns='http://www.w3.org/2000/svg' xmlns:a='urn:a'/>", false),
    ])
    func drawingInAnotherNamespaceIsNone(_ drawing: String, isWhole: Bool) {
        let message = isWhole ? nil : error(Array(drawing.utf8))?.message
        #expect(isWhole ? (try? check(Array(drawing.utf8))) != nil : message?.contains("SVG's namespace") == true)
    }

    @Test func stripBehindTheEndOfAFileIsMissingInWhateverDirectory() {
        let bytes = ImageBytes.tiff(pages: 3)
        #expect(error(bytes.dropLast())?.code == .damaged)
        #expect(error(Array(bytes.prefix(bytes.count * 2 / 3 + 20)))?.code == .damaged)
    }

    @Test func framesOfAnAnimationThatAreMissingAreMissed() throws {
        let picture = ImageBytes.png()
        let animated = Array(picture[..<33]) + TestPicture.chunk("acTL", ImageBytes.big(2, 4) + ImageBytes.big(0, 4))
        let frame = TestPicture.chunk("fcTL", [UInt8](repeating: 0, count: 26))
        let data = Array(picture[33..<picture.count - 12])
        #expect(try check(animated + frame + data + frame).notes.count == 1)
        #expect(error(animated + frame + data)?.code == .damaged)
    }
}
