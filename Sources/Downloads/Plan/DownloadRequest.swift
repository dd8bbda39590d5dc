import ProviderModel

/// One thing somebody wants to have on disk.
package struct DownloadRequest: Sendable {
    /// What it is.
    package enum Subject: Sendable {
        /// The best fitting file of an item.
        case item(Item)
        /// Whatever lies behind a URL.
        case file(WebURL)
    }

    /// What is wanted.
    package var subject: Subject
    /// Whose file it is.
    package var source: DownloadSource
    /// Its place in the input, from 1.
    package var index: Int

    /// A request.
    package init(_ subject: Subject, from source: DownloadSource, index: Int) {
        self.subject = subject
        self.source = source
        self.index = index
    }
}
