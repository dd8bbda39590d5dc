import ProviderModel

/// One file that is to be on disk: what, from where, and what it will be called.
package struct PlannedDownload: Sendable {
    /// All but the name, shared by the copies that go from hand to hand.
    private final class Content: Sendable {
        let key: MediaKey
        let request: DownloadRequest
        let media: Media
        let expectedEnding: String
        /// Asked for several times, and part of a text each time.
        let host: String

        init(key: MediaKey, request: DownloadRequest, media: Media, expectedEnding: String) {
            self.key = key
            self.request = request
            self.media = media
            self.expectedEnding = expectedEnding
            host = media.url.authority
        }
    }

    private let content: Content
    /// Where it goes.
    package var name: PlannedName

    init(key: MediaKey, request: DownloadRequest, media: Media, name: PlannedName, expectedEnding: String) {
        content = Content(key: key, request: request, media: media, expectedEnding: expectedEnding)
        self.name = name
    }

    /// What tells it from every other file.
    package var key: MediaKey { content.key }

    /// What was asked for.
    package var request: DownloadRequest { content.request }

    /// The file's own description.
    package var media: Media { content.media }

    /// The host it is planned to come from, with its port.
    var host: String { content.host }

    /// The ending its name has until its content says otherwise.
    package var expectedEnding: String { content.expectedEnding }

    /// The item; nil for a bare URL.
    package var item: Item? {
        if case .item(let item) = request.subject { item } else { nil }
    }

    /// The path below the folder that is planned for it.
    package var expectedPath: String { name.path(ending: expectedEnding) }
}
