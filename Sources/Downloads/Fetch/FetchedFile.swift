/// What a finished and verified file is.
package struct FetchedFile: Hashable, Sendable {
    /// Its length.
    package var bytes: Int
    /// What its content is known by.
    package var hash: ContentHash
    /// Its format; nil where any content is taken and it is no image.
    package var format: ImageFormat?
    /// Its size in pixels, where its header says it.
    package var size: ImageSize?
    /// What is not as it was listed, though not wrong.
    package var notes: [String]
}
