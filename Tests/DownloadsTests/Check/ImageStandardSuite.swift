import Foundation
import ProviderModel
import TestSupport
import Testing

@testable import Downloads

/// Images of other projects, held against two decoders: `images/manifest.tsv`, by `Tests/Suites/image-manifest.py`.
@Suite(.enabled(if: StandardSuite.folder != nil, "IMGSCRIPT_SUITES names no folder of suites"))
struct ImageStandardSuite {
    /// A line of the manifest: a file or its beginning, and what decoders make of it.
    private struct Entry {
        let path: String
        let length: Int
        let format: String
        let isGood: Bool
        let size: ImageSize?

        init?(_ line: Substring) {
            let fields = line.split(separator: "\t", omittingEmptySubsequences: false)
            guard fields.count == 6, let length = Int(fields[1]) else { return nil }
            (path, self.length) = (String(fields[0]), length)
            (format, isGood) = (String(fields[2]), fields[3] == "good")
            size = ImageSize(Int(fields[4]), Int(fields[5]))
        }
    }

    @Test func imagesAreTakenAsDecodersTakeThem() throws {
        var good = StandardSuite(
            "Images of Pillow, libvips, ImageMagick, ExifTool, exiv2, libavif, libjxl and others that Pillow or libvips decode",
            against: "the check of files: kept")
        var broken = StandardSuite(
            "Images of these projects that neither decodes, and beginnings of others (30, 60, 95 of 100 bytes)",
            against: "the check of files: refused")
        var sizes = StandardSuite("Sizes of the images that are decoded", against: "the sizes of files")
        for line in try good.text(of: "images/manifest.tsv").split(separator: "\n") {
            guard let entry = Entry(line) else { continue }
            let all = try good.bytes(of: "images/src/" + entry.path)
            let bytes = Array(all.prefix(entry.length))
            var check: ImageCheck?
            var failure: DownloadError?
            do throws(DownloadError) {
                check = try ImageCheck(BytesContent(bytes), of: .invented())
            } catch {
                failure = error
            }
            guard entry.isGood else {
                let reason = Self.reasonToKeep(entry, isCut: bytes.count < all.count)
                broken.note(check == nil, entry.path, exception: reason)
                continue
            }
            let reason = failure.flatMap { Self.reasonToRefuse(entry, $0, isCut: bytes.count < all.count) }
            good.note(check != nil, "\(entry.path): \(failure?.message ?? "")", exception: reason)
            if let size = entry.size, let check { Self.note(check.size, size, entry, in: &sizes) }
        }
        #expect(good.faults == [])
        #expect(broken.faults == [])
        #expect(sizes.faults == [])
    }

    private static func note(_ found: ImageSize?, _ size: ImageSize, _ entry: Entry, in suite: inout StandardSuite) {
        let difference = found.map { max(abs($0.width - size.width), abs($0.height - size.height)) }
        // Drawings may be rounded up or down.
        let fits = difference.map { $0 <= (entry.format == "svg" ? 1 : 0) } ?? false
        let reason: String? =
            switch entry.format {
            case "tiff" where found == size.turned: "TIFF turned by its orientation, which is not applied to sizes"
            case "gif": "GIF whose pictures reach beyond its screen, which Pillow extends"
            case "svg": "SVG without a size in pixels or a viewBox, which librsvg takes from its content"
            case "avif", "heic": "items whose cropping or numbers the decoder does not take as written"
            default: nil
            }
        suite.note(fits, "\(entry.path): \(found?.description ?? "none"), expected \(size)", exception: reason)
    }

    private static func reasonToRefuse(_ entry: Entry, _ error: DownloadError, isCut: Bool) -> String? {
        if error.message.contains("placeholder") {
            return "1×1 or 2×2 pixels: placeholders where nothing else is listed"
        }
        if entry.format == "bmp", error.message.contains("unknown format") {
            return "bitmaps whose header has a length of no version, which ImageMagick corrects"
        }
        if entry.format == "jpeg", error.message.contains("unknown format") {
            return "JPEG whose third byte is not FF, which browsers do not take (MIME Sniffing §6.1)"
        }
        guard error.code == .damaged else { return nil }
        if isCut {
            return "beginnings without parts that the decoder does not look at: masks, thumbnails, further pages"
        }
        if error.message.contains("checksum") { return "PNG with a wrong checksum, which libvips does not look at" }
        return ["gif", "bmp", "tiff", "svg"].contains(entry.format)
            ? "\(entry.format.uppercased()) whose last block, run, strip or element is not all there" : nil
    }

    private static func reasonToKeep(_ entry: Entry, isCut: Bool) -> String {
        switch entry.format {
        case "jxl" where isCut: "JPEG XL whose sections are all there"
        case _ where isCut: "beginnings with the whole picture: what is missing are further pictures or metadata"
        case "bmp", "tiff":
            "bitmaps and TIFF files of depths and compressions that neither decoder has, or damaged within"
        case "svg": "SVG without a size, or not well-formed within, which librsvg does not draw"
        default: "damaged within compressed data, which only a decoder sees"
        }
    }
}
