import ProviderModel

extension ImageEngine {
    /// Downloads images into a folder, and returns what came of it.
    ///
    /// ```swift
    /// let imgscript = try ImageEngine()
    /// let summary = try await imgscript.download(imgscript.search("red fox"), to: "foxes")
    /// print(summary.finished, "files")
    /// ```
    ///
    /// A file that cannot be had is told of as an event, and the others go on; what is there already is not fetched again.
    @discardableResult
    public func download<Images: AsyncSequence & Sendable>(
        _ images: Images, to folder: String, options: DownloadOptions = DownloadOptions(),
        onEvent: @escaping @Sendable (DownloadEvent) -> Void = { _ in }
    ) async throws -> DownloadSummary where Images.Element == Item {
        try await downloader(to: folder, options: options, onEvent: onEvent)
            .download(images.map { DownloadInput(.item($0)) })
    }

    /// A run that can be stopped, planned without being done, and given inputs of every kind: images, ids, pages, files.
    ///
    /// Throws when an option cannot be used. `onEvent` is called from several threads and must be quick.
    public func downloader(
        to folder: String, options: DownloadOptions = DownloadOptions(),
        onEvent: @escaping @Sendable (DownloadEvent) -> Void = { _ in }
    ) throws -> Downloader {
        try Downloader(self, folder: folder, options: options, onEvent: onEvent)
    }
}
