import CMetadata
import Foundation
import ProviderModel
import TestSupport
import Testing

@testable import Downloads

/// Metadata written into images of other projects, and read back by ExifTool.
@Suite(
    .enabled(
        if: StandardSuite.has("images/manifest.tsv") && cmetadata_load() == nil && ExifTool.path != nil,
        "IMGSCRIPT_SUITES names no folder with images, or libgexiv2 or ExifTool is not installed"))
struct MetadataStandardSuite {
    private static let perFormat = 50

    @Test func whatWasThereIsKeptAndFieldsAreAdded() throws {
        var kept = StandardSuite("Metadata of 200 of these images, by ExifTool", against: "`--write-metadata`: kept")
        var added = StandardSuite("Fields written into these 200 images", against: "`--write-metadata`: added")
        let files = TemporaryFolder()
        var written: [(number: Int, path: String, format: MediaFormat)] = []
        for (number, image) in try Self.images(of: kept).enumerated() {
            let bytes = BytesContent(try kept.bytes(of: image.path))
            do {
                guard let edited = try MetadataEditor.add(ExifTool.fields, to: bytes, as: image.format) else {
                    continue
                }
                let target = URL(filePath: "\(files.path)/\(number).\(image.format.fileEnding)")
                try Data(try edited.bytes(at: 0, count: edited.count)).write(to: target)
                written.append((number, image.path, image.format))
            } catch let refusal as MetadataEditor.Refusal {
                added.note(false, "\(image.path): \(refusal.reason)", exception: Self.exception(for: refusal))
            }
        }
        let originals = written.map { "\(StandardSuite.folder ?? "")/\($0.path)" }
        let copies = written.map { "\(files.path)/\($0.number).\($0.format.fileEnding)" }
        let tags = try ExifTool.tags(of: originals + copies)
        for (image, (original, copy)) in zip(written, zip(originals, copies)) {
            let (before, after) = (tags[original] ?? [], tags[copy] ?? [])
            let lost = before.subtracting(after).filter { Self.isKept($0, in: after) }.sorted()
            let isAbout = lost.allSatisfy { $0.hasPrefix("XMP:About=") }
            kept.note(
                lost == [], "\(image.path): lost \(lost)",
                exception: isAbout ? "a URI in `rdf:about`, which is empty in new XMP (ISO 16684-1 §7.4)" : nil)
            let known = Set(before.map { $0.prefix { $0 != "=" } })
            let missing = ExifTool.expected(image.format).filter { field in
                !after.contains(field) && !known.contains(field.prefix { $0 != "=" })
            }
            let isExif = missing.allSatisfy { $0.hasPrefix("EXIF:") }
            added.note(
                missing == [], "\(image.path): has not \(missing)",
                exception: isExif ? "Exif where a new field would move a camera's notes; XMP has what it says" : nil)
        }
        #expect(kept.faults == [])
        #expect(added.faults == [])
    }

    /// Images that decoders take, as many of each format, from all over the list.
    private static func images(of suite: StandardSuite) throws -> [(path: String, format: MediaFormat)] {
        var known: [MediaFormat: [String]] = [:]
        var paths: Set<Substring> = []
        for line in try suite.text(of: "images/manifest.tsv").split(separator: "\n") {
            let fields = line.split(separator: "\t", omittingEmptySubsequences: false)
            guard fields.count == 6, fields[3] == "good", let format = MediaFormat(rawValue: String(fields[2])),
                MetadataWriter.formats.contains(format), paths.insert(fields[0]).inserted
            else { continue }
            known[format, default: []].append("images/src/" + fields[0])
        }
        return MetadataWriter.formats.flatMap { format in
            let paths = known[format] ?? []
            let step = max(paths.count / perFormat, 1)
            return stride(from: 0, to: paths.count, by: step).prefix(perFormat).map { (paths[$0], format) }
        }
    }

    /// Whether a tag has to be as it was: it is the file's own, not its place in the file or the library that wrote it.
    private static func isKept(_ tag: String, in written: Set<String>) -> Bool {
        let name = tag.prefix { $0 != "=" }
        let value = tag.dropFirst(name.count)
        // ExifTool gives a text's language only in the second file with such a tag.
        if written.contains("\(name)-en\(value)") { return false }
        // What is in the file: new fields are added to that.
        if name == "RIFF:WebP_Flags" {
            let flags = written.first { $0.hasPrefix(name) }.map(Self.flags) ?? []
            return !flags.isSuperset(of: Self.flags(tag))
        }
        let groups = ["SourceFile", "ExifTool:", "File:", "Composite:"]
        // The last is IPTC in a form that ExifTool does not read, and which is read once it is written anew.
        let changed = [
            "XMP:XMPToolkit", "Photoshop:IPTCDigest", "IPTC:CodedCharacterSet", "Photoshop:Photoshop_Unknown_0x0404",
        ]
        return !groups.contains { name.hasPrefix($0) } && !changed.contains { $0 == name } && !name.contains("Offset")
            && !name.contains("Start")
    }

    /// `RIFF:WebP_Flags=Alpha, XMP` as a set.
    private static func flags(_ tag: String) -> Set<String> {
        Set((tag.split(separator: "=").last ?? "").split(separator: ",").map { String($0).trimmingSpaces })
    }

    private static func exception(for refusal: MetadataEditor.Refusal) -> String? {
        if refusal.reason.contains("have been lost") {
            return "left as they are: libexiv2 would lose some of their data"
        }
        if refusal.reason.contains("not a valid") { return "left as they are: BigTIFF, or damaged" }
        return refusal.reason.contains("image data")
            ? "left as they are: libexiv2 would write other image data than it found" : nil
    }
}
