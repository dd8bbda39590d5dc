import Glibc
import ProviderModel

/// What is written beside each file.
package enum SidecarFormat: CaseIterable, Sendable {
    /// All that is known of the item and the file.
    case json
    /// The item's tags, one a line.
    case tags
    /// Title, author, licence, tags, date and source, as photo libraries read them.
    case xmp

    /// The path of a file's sidecar.
    package func path(for path: String) -> String {
        switch self {
        case .json: "\(path).json"
        case .tags: "\(path).txt"
        case .xmp: "\(path).xmp"
        }
    }
}

/// Writes what is known of each file beside it: `fox.jpg.json`, `fox.jpg.txt` or `fox.jpg.xmp` for `fox.jpg`.
///
/// An archive of frames always has its JSON: it says how long each is shown.
package struct SidecarWriter: Sendable {
    private let folder: DownloadFolder
    private let formats: Set<SidecarFormat>
    private let now: @Sendable () -> Int

    /// A writer for the files of this folder; `now` is the time of day in seconds since 1970.
    package init(folder: DownloadFolder, formats: Set<SidecarFormat> = [.json], now: @escaping @Sendable () -> Int) {
        self.folder = folder
        self.formats = formats
        self.now = now
    }

    /// Whether something is written beside every file.
    package var isForAllFiles: Bool { !formats.isEmpty }

    private func formats(for request: DownloadRequest) -> Set<SidecarFormat> {
        request.media.frames.isEmpty ? formats : formats.union([.json])
    }

    /// The path of a file's sidecar.
    package static func path(for path: String) -> String { SidecarFormat.json.path(for: path) }

    /// Writes the sidecar of a file that has just come.
    package func write(_ file: FinishedFile) throws(DownloadError) {
        let formats = formats(for: file.planned.request)
        if formats.contains(.tags) { try writeTags(of: file.planned.request, beside: file.path) }
        if formats.contains(.xmp) { try writeXMP(of: file.planned.request, from: file.media, beside: file.path) }
        guard formats.contains(.json) else { return }
        let sidecar = Sidecar(
            file.planned.request, from: file.media, at: file.path, sha256: file.sha256, bytes: file.bytes,
            format: file.file.format, size: file.file.size, time: now())
        try write(sidecar, beside: file.path, file.planned.request)
    }

    /// Writes a missing sidecar: the run that fetched the file may have been killed, or asked for none.
    package func writeMissing(
        _ request: DownloadRequest, at path: String, _ store: some DownloadStore,
        _ record: () throws(DownloadError) -> ArchiveRecord?
    ) throws(DownloadError) {
        let formats = formats(for: request)
        guard !formats.isEmpty, folder.hasFile(at: path) else { return }
        if formats.contains(.tags), !folder.hasFile(at: SidecarFormat.tags.path(for: path)) {
            try writeTags(of: request, beside: path)
        }
        if formats.contains(.xmp), !folder.hasFile(at: SidecarFormat.xmp.path(for: path)) {
            try writeXMP(of: request, from: request.media, beside: path)
        }
        guard formats.contains(.json), !folder.hasFile(at: Self.path(for: path)) else { return }
        let record = try record()
        let known = record.flatMap { record in record.sha256.map { (sha256: $0, bytes: record.bytes) } }
        guard let found = known ?? store.content(of: path) else { return }
        let format = path.split(separator: ".").last.flatMap { MediaFormat(named: String($0)) }
        let sidecar = Sidecar(
            request, from: request.media, at: path, sha256: found.sha256, bytes: found.bytes,
            format: format, size: nil, time: record?.time ?? now())
        try write(sidecar, beside: path, request)
    }

    /// Writes the tags of an item; a line break in a tag is a space.
    private func writeTags(of request: DownloadRequest, beside path: String) throws(DownloadError) {
        let tags = request.item?.tags ?? []
        let lines = tags.map { $0.split(whereSeparator: \.isNewline).joined(separator: " ") + "\n" }
        let text = Array(lines.joined().utf8)
        try write(request.source.credentials?.redaction.redact(text) ?? text, as: .tags, beside: path, request)
    }

    private func writeXMP(
        of request: DownloadRequest, from media: Media, beside path: String
    ) throws(DownloadError) {
        try write(XMPPacket(request, from: media).bytes, as: .xmp, beside: path, request)
    }

    private func write(
        _ sidecar: Sidecar, beside path: String, _ request: DownloadRequest
    ) throws(DownloadError) {
        try write(sidecar.json, as: .json, beside: path, request)
    }

    private func write(
        _ bytes: [UInt8], as format: SidecarFormat, beside path: String, _ request: DownloadRequest
    ) throws(DownloadError) {
        do {
            let location = try folder.location(of: format.path(for: path))
            try ReplacementFile.write(bytes, to: location.name, in: location.folder)
        } catch {
            // The other process writes the same.
            guard error.code != .busy else { return }
            throw DownloadError(
                error.code, "could not write the sidecar of \(path): \(error.message)", subject: request.name,
                cause: error)
        }
    }
}

/// What is known of a fetched file: the whole item, and how the file came.
struct Sidecar {
    private let request: DownloadRequest
    private let url: String
    private let path: String
    private let sha256: [UInt8]?
    private let bytes: Int
    private let format: MediaFormat?
    private let size: ImageSize?
    private let time: Int

    /// The sidecar of a file that came from `media`.
    init(
        _ request: DownloadRequest, from media: Media, at path: String, sha256: [UInt8]?, bytes: Int,
        format: MediaFormat?, size: ImageSize?, time: Int
    ) {
        self.request = request
        // The listed URL is as public as the listing; one that was made for this download alone may be signed.
        url = media.url == request.media.url ? media.url.description : media.url.origin + media.url.path
        self.path = path
        self.sha256 = sha256
        self.bytes = bytes
        self.format = format
        self.size = size
        self.time = time
    }

    /// The JSON text, in one line, without any secret.
    var json: [UInt8] {
        var json = JSONWriter()
        if let item = request.item {
            item.write(to: &json) { writeFetched(to: &$0) }
        } else {
            // As in a list of inputs.
            json.object { json in
                json.member("url", url)
                writeFetched(to: &json)
            }
        }
        let text = json.bytes + [0x0a]
        return request.source.credentials?.redaction.redact(text) ?? text
    }

    private func writeFetched(to json: inout JSONWriter) {
        json.name("fetched")
        json.object { json in
            json.member("key", request.key.description)
            json.member("role", request.media.role.rawValue)
            json.member("url", url)
            json.member("path", path)
            json.member("bytes", bytes)
            json.member("sha256", sha256?.hexadecimal)
            json.member("format", format?.rawValue)
            json.member("width", size?.width)
            json.member("height", size?.height)
            json.member("time", DateTime(secondsSince1970: time).iso8601)
        }
    }
}
