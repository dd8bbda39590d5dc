import ProviderModel

/// Says what is to be fetched for a request, and what it will be called: a pure function.
package struct DownloadPlanner: Sendable {
    /// Which of an item's files is wanted.
    package var choice: MediaChoice
    /// How files are called.
    package var template: NameTemplate

    /// A planner.
    package init(choice: MediaChoice = .role(.original), template: NameTemplate = .standard) {
        self.choice = choice
        self.template = template
    }

    /// The plan for a request.
    package func plan(_ request: DownloadRequest) throws(DownloadError) -> PlannedDownload {
        plan(try file(for: request))
    }

    /// The plan for a file.
    package func plan(_ wanted: WantedFile) -> PlannedDownload {
        let (request, media) = (wanted.request, wanted.media)
        let subject = ItemSubject(
            item: wanted.item, media: media, provider: request.source.provider, index: request.index)
        var name = template.name(of: subject)
        if name.hasAlteredIdentity { name = name.distinct(for: wanted.key) }
        let format =
            media.format.flatMap { ImageFormat(named: $0) } ?? media.url.fileEnding.flatMap { ImageFormat(named: $0) }
        let ending = format?.fileEnding ?? ImageFormat.jpeg.fileEnding
        return PlannedDownload(wanted, name: name, expectedEnding: ending)
    }

    /// The file that a request is for; its name, which most files of a second run need not have, is planned later.
    package func file(for request: DownloadRequest) throws(DownloadError) -> WantedFile {
        switch request.subject {
        case .file(let url):
            return WantedFile(key: MediaKey(url), request: request, media: Media(role: .original, url: url))
        case .item(let item):
            guard let media = choice.media(of: item) else {
                let kind =
                    item.type == .collection ? "is a collection; name its images, or list it first" : "has no file"
                throw DownloadError(.noMedia, "\(item.provider):\(item.id) \(kind)")
            }
            return WantedFile(key: MediaKey(item, media.role), request: request, media: media)
        }
    }
}
