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
        let (item, media, key) = try wanted(by: request)
        let subject = ItemSubject(item: item, media: media, provider: request.source.provider, index: request.index)
        var name = template.name(of: subject)
        if name.hasAlteredIdentity { name = name.distinct(for: key) }
        let format =
            media.format.flatMap { ImageFormat(named: $0) } ?? media.url.fileEnding.flatMap { ImageFormat(named: $0) }
        let ending = format?.fileEnding ?? ImageFormat.jpeg.fileEnding
        return PlannedDownload(key: key, request: request, media: media, name: name, expectedEnding: ending)
    }

    private func wanted(by request: DownloadRequest) throws(DownloadError) -> (Item?, Media, MediaKey) {
        switch request.subject {
        case .file(let url): return (nil, Media(role: .original, url: url), MediaKey(url))
        case .item(let item):
            guard let media = choice.media(of: item) else {
                let kind =
                    item.type == .collection ? "is a collection; name its images, or list it first" : "has no file"
                throw DownloadError(.noMedia, "\(item.provider):\(item.id) \(kind)")
            }
            return (item, media, MediaKey(item, media.role))
        }
    }
}
