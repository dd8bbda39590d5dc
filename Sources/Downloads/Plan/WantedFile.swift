import ProviderModel

/// A file that somebody wants to have: enough to find out whether it is there.
package struct WantedFile: Sendable {
    /// Shared by the copies that go from hand to hand.
    private final class Content: Sendable {
        let key: MediaKey
        let request: DownloadRequest
        let media: Media

        init(key: MediaKey, request: DownloadRequest, media: Media) {
            self.key = key
            self.request = request
            self.media = media
        }
    }

    private let content: Content

    init(key: MediaKey, request: DownloadRequest, media: Media) {
        content = Content(key: key, request: request, media: media)
    }

    /// The same file, of which its provider has just said where it is.
    func coming(from media: Media) -> WantedFile { WantedFile(key: key, request: request, media: media) }

    /// What tells it from every other file.
    package var key: MediaKey { content.key }

    /// What was asked for.
    package var request: DownloadRequest { content.request }

    /// The file's own description.
    package var media: Media { content.media }

    /// The item; nil for a bare URL.
    package var item: Item? {
        if case .item(let item) = request.subject { item } else { nil }
    }
}
