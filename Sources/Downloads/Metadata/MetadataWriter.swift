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
        } catch let refusal as MetadataEditor.Refusal {
            var unchanged = file
            unchanged.notes.append("metadata not written: \(refusal.reason)")
            return unchanged
        }
    }

    private func writeFields(
        into part: PartFile, _ request: DownloadRequest, _ media: Media, _ file: FetchedFile
    ) throws -> FetchedFile {
        guard let format = file.format, Self.formats.contains(format) else {
            let names = Self.formats.map(\.rawValue).joined(separator: ", ")
            throw MetadataEditor.Refusal(
                reason: "\(file.format?.rawValue ?? "this kind of") files cannot carry it here, \(names) can")
        }
        guard file.bytes <= Self.sizeLimit else { throw MetadataEditor.Refusal(reason: "it is larger than 256 MB") }
        let original = LimitedContent(part, count: file.bytes)
        let fields = EmbeddedField.fields(for: request, from: media, hasIPTC: format == .jpeg || format == .tiff)
        guard let scratch = try MetadataEditor.add(fields, to: original, as: format) else { return file }
        var changed = file
        (changed.bytes, changed.sha256) = try part.takeContent(of: scratch)
        return changed
    }
}
