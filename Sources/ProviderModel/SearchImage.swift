/// An image that others are compared with.
public struct SearchImage: Hashable, Sendable {
    /// What a source takes.
    public enum Kind: String, Sendable, CaseIterable {
        /// The address of an image.
        case url
        /// A file, which the host uploads.
        case file
    }

    /// Its address; nil for a file of the user.
    public var url: WebURL?
    /// The file's name, without folders: `fox.jpg`.
    public var name: String
    /// The format as in ``Media/format``: `jpeg`.
    public var format: String?
    /// The file's length; 0 for an address that was not fetched.
    public var byteCount: Int
    /// A digest that identifies the image.
    public var digest: String
    /// The file, which never crosses to a script; empty for an address.
    package var content: [UInt8] = []

    /// Creates an image at an address, which is fetched where a source takes files only.
    ///
    /// - Parameter url: the address.
    public init(url: WebURL) {
        self.init(url: url, name: url.lastPathPart, format: nil, content: [], digest: url.description)
    }

    package init(url: WebURL? = nil, name: String, format: String?, content: [UInt8], digest: String) {
        self.url = url
        self.name = name
        self.format = format
        self.content = content
        self.digest = digest
        byteCount = content.count
    }

    /// An image of one pixel, for calls that are answered by recordings.
    package static let sample = SearchImage(
        name: "sample.gif", format: "gif",
        content: Array("GIF89a\u{1}\0\u{1}\0\0\0\0,\0\0\0\0\u{1}\0\u{1}\0\0\u{2}\0;".utf8), digest: "sample")

    /// Compares what identifies the images.
    public static func == (left: SearchImage, right: SearchImage) -> Bool {
        (left.url, left.name, left.format, left.digest) == (right.url, right.name, right.format, right.digest)
    }

    /// Hashes what identifies the image.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(url)
        hasher.combine(digest)
    }
}
