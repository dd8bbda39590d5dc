import ProviderModel

/// Width and height in pixels.
package struct ImageSize: Hashable, Sendable, CustomStringConvertible {
    /// Pixels across.
    package var width: Int
    /// Pixels down.
    package var height: Int

    /// A size.
    package init(width: Int, height: Int) {
        self.width = width
        self.height = height
    }

    /// A size of numbers that were read; nil where one was not.
    init?(_ width: Int?, _ height: Int?) {
        guard let width, let height else { return nil }
        self.init(width: width, height: height)
    }

    /// `4000×3000`.
    package var description: String { "\(width)×\(height)" }

    /// The same picture, turned by a quarter.
    var turned: ImageSize { ImageSize(width: height, height: width) }

    /// Reads the size from a file's header; nil where the format does not say it plainly.
    package init?(of content: some FileContent, as format: MediaFormat) throws(DownloadError) {
        guard let size = try ImageLayout(of: content, as: format).size else { return nil }
        self = size
    }
}
