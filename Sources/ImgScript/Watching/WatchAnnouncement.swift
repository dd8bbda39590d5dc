import Downloads
import FoundationEssentials
import HTTPTransport
import ProviderModel

/// The new images of a watch, as a webhook gets them.
public struct WatchAnnouncement: Codable, Hashable, Sendable {
    /// One image; nothing of it is secret.
    public struct Image: Codable, Hashable, Sendable {
        /// The provider's id; nil for a file without a provider.
        public let provider: String?
        /// The image's id there.
        public let id: String?
        /// The title.
        public let title: String?
        /// The address of its page.
        public let page: String?
        /// The author's name.
        public let author: String?
        /// The licence's id.
        public let license: String?
        /// The path of the file; one in an archive has the archive's path before its own.
        public var path: String

        /// Describes a downloaded file.
        ///
        /// - Parameters:
        ///   - file: the file.
        ///   - folder: the folder that it is below.
        public init(_ file: FinishedFile, in folder: String) {
            let item = file.item
            provider = item?.provider.description
            id = item?.id
            title = item?.title
            page = item?.page?.description
            author = item?.author?.name
            license = item?.license?.id
            path = "\(folder)/\(file.path)"
        }

        /// Describes a file of which no more is known.
        ///
        /// - Parameters:
        ///   - key: the file's identity.
        ///   - path: its path.
        public init(_ key: MediaKey, at path: String) {
            let parts = key.itemReference.split(separator: ":", maxSplits: 1).map(String.init)
            let isItem = parts.count == 2 && !key.itemReference.isWebAddress
            provider = isItem ? parts[0] : nil
            id = isItem ? parts[1] : nil
            (title, page, author, license) = (nil, nil, nil, nil)
            self.path = path
        }
    }

    /// The watch's name.
    public let watch: String
    /// The new images.
    public let images: [Image]

    /// Creates an announcement.
    ///
    /// - Parameters:
    ///   - watch: the watch's name.
    ///   - images: the new images.
    public init(watch: String, images: [Image]) {
        self.watch = watch
        self.images = images
    }
}

extension ImageEngine {
    /// Posts an announcement as JSON, over the engine's own connections: private addresses have to be allowed.
    ///
    /// - Parameters:
    ///   - announcement: the new images of a watch.
    ///   - url: the address of the webhook, over https, or http where it says so.
    /// - Throws: `WatchError` with the code `webhook` when the server does not take it; `TransportError` when it cannot be
    ///   reached; `CancellationError` when the task is cancelled.
    public func post(_ announcement: WatchAnnouncement, to url: WebURL) async throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        let request = TransportRequest(posting: Array(try encoder.encode(announcement)), to: url)
        let response = try await packTransport().send(request)
        guard (200..<300).contains(response.status) else {
            // The path may be a secret.
            throw WatchError(.webhook, "the webhook at \(url.origin) answered \(response.status) (expected 2xx)")
        }
    }
}
