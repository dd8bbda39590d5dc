import HTTPTransport
import ProviderModel

/// A file to be downloaded: enough to find out whether it exists.
///
/// A class, because an item has many fields and is passed through every stage.
package final class DownloadRequest: Sendable {
    /// What identifies the file.
    package let key: MediaKey
    /// The image; nil for a bare URL.
    package let item: Item?
    /// The file's own description.
    package let media: Media
    /// Whose file it is.
    package let source: DownloadSource
    /// Its place in the input, from 1.
    package let index: Int
    /// The key of what was wanted, where the source had something else.
    let substituted: MediaKey?
    /// The collection whose image it is, if it came with one.
    let collection: Item?
    /// The image's place in the collection, or in the input.
    let place: Int
    /// Whether the image has other files that are wanted.
    let isOneOfSeveral: Bool

    private init(
        _ item: Item, _ media: Media, from source: DownloadSource, index: Int, substituted: MediaKey?,
        of collection: Item?, place: Int, isOneOfSeveral: Bool
    ) {
        (self.item, self.media, self.source, self.index) = (item, media, source, index)
        self.substituted = substituted
        (self.collection, self.place, self.isOneOfSeveral) = (collection, place, isOneOfSeveral)
        key = MediaKey(item, media)
    }

    /// The chosen files of an item in order; throws `.noMedia` or `.mediaKind` when there are none.
    ///
    /// The item may be one of a collection, and have a `place` in it.
    package static func requests(
        for item: Item, _ selection: FileSelection = FileSelection(), from source: DownloadSource, index: Int,
        substituted: MediaKey? = nil, of collection: Item? = nil, place: Int? = nil
    ) throws(DownloadError) -> [DownloadRequest] {
        let files = selection.media(of: item)
        guard files.isEmpty else {
            return files.map {
                DownloadRequest(
                    item, $0, from: source, index: index, substituted: files.count == 1 ? substituted : nil,
                    of: collection, place: place ?? index, isOneOfSeveral: files.count > 1)
            }
        }
        let name = "\(item.provider):\(item.id)"
        if item.type == .collection {
            throw DownloadError(.noMedia, "\(name) is a collection (expected a single image)", subject: name)
        }
        guard let kind = item.bestMedia?.kind else {
            throw DownloadError(.noMedia, "\(name) has no file", subject: name)
        }
        let found = item.type == .video ? Media.Kind.video : kind
        throw DownloadError(
            .mediaKind, "\(name) is of the kind \(found.rawValue) (expected \(selection.kinds.words))", subject: name)
    }

    /// The file behind a URL.
    package init(_ url: WebURL, from source: DownloadSource = .bareURLs, index: Int) {
        (item, self.source, self.index, substituted) = (nil, source, index, nil)
        (collection, place, isOneOfSeveral) = (nil, index, false)
        media = Media(role: .original, url: url)
        key = MediaKey(url)
    }

    /// The name that messages use: the reference of the image, or the URL.
    package var name: String { item.map { "\($0.provider):\($0.id)" } ?? media.url.description }

    /// Whether its URL names a script or a folder, so that a name that the server gives the file says more.
    var hasAddressWithoutName: Bool {
        item == nil && media.url.fileEnding.flatMap { MediaFormat(named: $0) } == nil
    }

    /// The input that stands for it.
    var subject: DownloadInput.Subject { item.map { .item($0) } ?? .reference(media.url.description) }
}

/// A file to be fetched, with its planned name.
public final class PlannedFile: Sendable {
    package let request: DownloadRequest
    /// The name by the template.
    private let ownName: PlannedName
    /// Whether another file had that name when this one was planned.
    private let isRenamed: Bool
    /// The ending its name has until its content says otherwise.
    package let expectedEnding: String
    /// The host it is planned to come from, with its port.
    let host: String
    /// Its planned path below the folder; the extension may change with the content.
    public let path: String

    init(_ request: DownloadRequest, name: PlannedName, isRenamed: Bool = false, expectedEnding: String) {
        self.request = request
        ownName = name
        self.isRenamed = isRenamed
        self.expectedEnding = expectedEnding
        host = request.media.url.authority
        path = (isRenamed ? name.distinct(for: request.key) : name).path(ending: expectedEnding)
    }

    /// The names that it may have, the one that it is to get first.
    var names: [PlannedName] {
        let distinct = ownName.distinct(for: key)
        return isRenamed ? [distinct, ownName] : [ownName, distinct]
    }

    /// The folders of all its names.
    var folders: [String] { ownName.folders }

    /// The name of the unfinished file: the same in every process, whatever names are taken there.
    var partName: String { ownName.partName(for: key) }

    /// The identity of the file: `provider:id:role`, or `url:` and the URL.
    public var key: MediaKey { request.key }
    /// The URL that it is fetched from.
    public var url: WebURL { request.media.url }
    /// The image; nil for a bare URL.
    public var item: Item? { request.item }

    /// The same file under the name it has beside another one.
    func renamed() -> PlannedFile {
        PlannedFile(request, name: ownName, isRenamed: true, expectedEnding: expectedEnding)
    }
}

extension NameTemplate {
    /// The plan for a request: a pure function.
    ///
    /// A picture is expected in the format that it is converted to. The server's `fileName` stands for the one in the URL.
    package func plan(
        _ request: DownloadRequest, _ conversion: PictureConversion = PictureConversion(), fileName: String? = nil
    ) -> PlannedFile {
        let media = request.media
        var subject = ItemSubject(
            item: request.item, media: media, provider: request.source.provider, index: request.index)
        subject.fileName = fileName
        var name = name(of: subject)
        if let number = media.file, !namesFile { name = name.numbered(number, of: request.item?.files.count ?? 1) }
        if name.hasAlteredIdentity { name = name.distinct(for: request.key) }
        let format =
            media.format.flatMap { MediaFormat(named: $0) } ?? media.url.fileEnding.flatMap { MediaFormat(named: $0) }
        let expected = format ?? media.kind.usualFormat
        let target = conversion.target(of: expected, nil) ?? expected
        return PlannedFile(request, name: name, expectedEnding: target.fileEnding)
    }
}

extension Media.Kind {
    /// The format that is planned for until the content says otherwise.
    fileprivate var usualFormat: MediaFormat {
        switch self {
        case .image: .jpeg
        case .animation: .zip
        case .video: .mp4
        case .audio: .mp3
        }
    }
}

extension Set<Media.Kind> {
    /// `image or animation`.
    var words: String { Media.Kind.allCases.filter(contains).map(\.rawValue).joined(separator: " or ") }
}
