import ProviderModel

/// One file that is to be on disk: what, from where, and what it will be called.
package struct PlannedDownload: Sendable {
    /// What tells it from every other file.
    package var key: MediaKey
    /// What was asked for.
    package var request: DownloadRequest
    /// The file's own description.
    package var media: Media
    /// Where it goes.
    package var name: PlannedName
    /// The ending its name has until its content says otherwise.
    package var expectedEnding: String

    /// The item; nil for a bare URL.
    package var item: Item? {
        if case .item(let item) = request.subject { item } else { nil }
    }

    /// The path below the folder that is planned for it.
    package var expectedPath: String { name.path(ending: expectedEnding) }
}
