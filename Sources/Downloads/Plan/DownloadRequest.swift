import HTTPTransport
import ProviderModel

/// One thing somebody wants to have on disk.
package struct DownloadRequest: Sendable {
    /// What it is.
    package enum Subject: Sendable {
        /// The best fitting file of an item, which is many times as large as an address.
        indirect case item(Item)
        /// Whatever lies behind a URL.
        case file(WebURL)
    }

    /// Shared by the copies that go from hand to hand: an item has many fields.
    private final class Content: Sendable {
        let subject: Subject
        let source: DownloadSource
        let index: Int

        init(subject: Subject, source: DownloadSource, index: Int) {
            self.subject = subject
            self.source = source
            self.index = index
        }
    }

    private let content: Content

    /// A request.
    package init(_ subject: Subject, from source: DownloadSource, index: Int) {
        content = Content(subject: subject, source: source, index: index)
    }

    /// What is wanted.
    package var subject: Subject { content.subject }

    /// Whose file it is.
    package var source: DownloadSource { content.source }

    /// Where its bytes may come from.
    var mediaScope: RequestScope { content.source.mediaScope }

    /// The credentials for a file of it, where it lies on one of the hosts that may have them.
    func credentials(for url: WebURL) -> Credentials? { content.source.credentials(for: url) }

    /// Its place in the input, from 1.
    package var index: Int { content.index }
}
