/// What a finished and verified file is.
package struct FetchedFile: Hashable, Sendable {
    /// Its length.
    package var bytes: Int
    /// The SHA-256 of its content.
    package var sha256: [UInt8]
    /// Its format; nil where any content is taken and it is no image.
    package var format: ImageFormat?
    /// Its size in pixels, where its header says it.
    package var size: ImageSize?
    /// What is not as it was listed, though not wrong.
    package var notes: [String]
}
