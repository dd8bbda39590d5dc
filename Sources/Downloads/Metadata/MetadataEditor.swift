import CMetadata
import Glibc
import ProviderModel

/// Adds fields to a copy of an image in memory, and sees that nothing else has changed.
enum MetadataEditor {
    /// Why an image is left as it is.
    struct Refusal: Error {
        let reason: String
    }

    /// Returns the image with the fields that it has not got yet; nil where it has them all.
    static func add(
        _ fields: [EmbeddedField], to original: some FileContent, as format: MediaFormat
    ) throws -> DescriptorContent? {
        guard let picture = try PictureData.digest(of: original, as: format) else {
            throw Refusal(reason: "it is not a valid \(format.rawValue) file")
        }
        let notes = try MakerNotes(of: original, as: format)
        let withoutExif = fields.filter { !$0.tag.hasPrefix("Exif.") }
        // A new field has all of Exif written anew, which moves what cameras put there by its place.
        let attempts = notes == nil ? [fields, withoutExif] : [withoutExif]
        var refusal: Refusal?
        for fields in attempts {
            do {
                return try attempt(fields, original, format, picture, notes)
            } catch let error as Refusal {
                refusal = error
            }
        }
        throw refusal ?? Refusal(reason: "nothing is known of it")
    }

    private static func attempt(
        _ fields: [EmbeddedField], _ original: some FileContent, _ format: MediaFormat, _ picture: [UInt8],
        _ notes: MakerNotes?
    ) throws -> DescriptorContent? {
        let scratch = try copy(of: original)
        guard try write(fields, to: scratch) > 0 else { return nil }
        guard try PictureData.digest(of: scratch, as: format) == picture,
            try ImageLayout(of: scratch, as: format) == ImageLayout(of: original, as: format)
        else { throw Refusal(reason: "the image data would have changed") }
        guard try MakerNotes(of: scratch, as: format) == notes else {
            throw Refusal(reason: "the camera's own notes would have changed")
        }
        return scratch
    }

    private static func write(_ fields: [EmbeddedField], to scratch: DescriptorContent) throws -> Int {
        var problem = [CChar](repeating: 0, count: 256)
        let added = EmbeddedField.withFields(fields) { start, count in
            cmetadata_add(scratch.descriptor, start, count, &problem, problem.count)
        }
        guard added >= 0 else {
            let said = String(decoding: problem.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
            throw Refusal(reason: said)
        }
        return Int(added)
    }

    /// A copy in memory that has a path as long as it is open.
    private static func copy(of original: some FileContent) throws(DownloadError) -> DescriptorContent {
        let descriptor = cmetadata_scratch()
        guard descriptor >= 0 else { throw DownloadError(errno: errno, "create", "a file in memory") }
        let copy = DescriptorContent(owning: descriptor)
        var offset = 0
        while offset < original.count {
            let bytes = try original.bytes(at: offset, count: 256 << 10)
            guard !bytes.isEmpty, Glibc.write(descriptor, bytes, bytes.count) == bytes.count else {
                throw DownloadError(errno: errno, "copy", "a file into memory")
            }
            offset += bytes.count
        }
        return copy
    }
}
