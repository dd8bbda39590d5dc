import CMetadata
import Glibc
import ProviderModel

/// Writes title, author, licence and source into images, and keeps the metadata they have.
///
/// The image is changed in a copy in memory, which is used if it is still the same picture, before the file gets its name; a
/// file that cannot carry metadata stays unchanged, with a note.
package struct MetadataWriter: Sendable {
    /// The formats that can be written into.
    package static let formats: [MediaFormat] = [.jpeg, .png, .webp, .tiff]

    /// Larger files are left as they are: the library has them in memory as a whole.
    private static let sizeLimit = 256 << 20

    /// A writer; throws what to install where the library is missing.
    package init() throws(DownloadError) {
        guard let problem = cmetadata_load() else { return }
        throw DownloadError(.metadata, "could not write metadata: \(String(cString: problem))")
    }

    /// Writes into a finished and verified file before it gets its name; returns what it is then.
    package func write(
        into part: PartFile, _ request: DownloadRequest, from media: Media, _ file: FetchedFile
    ) throws -> FetchedFile {
        do {
            return try writeFields(into: part, request, media, file)
        } catch let refusal as Refusal {
            var unchanged = file
            unchanged.notes.append("metadata not written: \(refusal.reason)")
            return unchanged
        }
    }

    /// Why a file is left as it is.
    private struct Refusal: Error {
        let reason: String
    }

    private func writeFields(
        into part: PartFile, _ request: DownloadRequest, _ media: Media, _ file: FetchedFile
    ) throws -> FetchedFile {
        guard let format = file.format, Self.formats.contains(format) else {
            let names = Self.formats.map(\.rawValue).joined(separator: ", ")
            throw Refusal(reason: "\(file.format?.rawValue ?? "this kind of") files cannot carry it here, \(names) can")
        }
        guard file.bytes <= Self.sizeLimit else { throw Refusal(reason: "it is larger than 256 MB") }
        let original = LimitedContent(part, count: file.bytes)
        guard let picture = try PictureData.digest(of: original, as: format) else {
            throw Refusal(reason: "it is not a valid \(format.rawValue) file")
        }
        let scratch = try scratchCopy(of: original)
        let fields = EmbeddedField.fields(for: request, from: media, hasIPTC: format == .jpeg || format == .tiff)
        let added = try add(fields, to: scratch)
        guard added > 0 else { return file }
        guard try PictureData.digest(of: scratch, as: format) == picture, try ImageEnd.isWhole(scratch, as: format),
            try ImageSize(of: scratch, as: format) == ImageSize(of: original, as: format)
        else { throw Refusal(reason: "the image data would have changed") }
        var changed = file
        (changed.bytes, changed.sha256) = try part.takeContent(of: scratch)
        return changed
    }

    private func add(_ fields: [EmbeddedField], to scratch: DescriptorContent) throws -> Int {
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

}

/// A copy in memory that has a path as long as it is open.
private func scratchCopy(of original: some FileContent) throws(DownloadError) -> DescriptorContent {
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
