import ProviderModel

/// One file that is to be on disk: what, from where, and what it will be called.
package struct PlannedDownload: Sendable {
    /// All but the name, shared by the copies that go from hand to hand.
    private final class Content: Sendable {
        let wanted: WantedFile
        let expectedEnding: String
        /// Asked for several times, and part of a text each time.
        let host: String

        init(_ wanted: WantedFile, expectedEnding: String) {
            self.wanted = wanted
            self.expectedEnding = expectedEnding
            host = wanted.media.url.authority
        }
    }

    private let content: Content
    /// Where it goes.
    package var name: PlannedName

    init(_ wanted: WantedFile, name: PlannedName, expectedEnding: String) {
        content = Content(wanted, expectedEnding: expectedEnding)
        self.name = name
    }

    /// What is to be on disk.
    package var wanted: WantedFile { content.wanted }

    /// What tells it from every other file.
    package var key: MediaKey { wanted.key }

    /// What was asked for.
    package var request: DownloadRequest { wanted.request }

    /// The file's own description.
    package var media: Media { wanted.media }

    /// The host it is planned to come from, with its port.
    var host: String { content.host }

    /// The ending its name has until its content says otherwise.
    package var expectedEnding: String { content.expectedEnding }

    /// The item; nil for a bare URL.
    package var item: Item? { wanted.item }

    /// The path below the folder that is planned for it.
    package var expectedPath: String { name.path(ending: expectedEnding) }
}
