/// One file that was fetched.
package struct ArchiveRecord: Hashable, Sendable {
    /// What it is.
    package var key: MediaKey
    /// Where it came from.
    package var url: String
    /// The hash of the file.
    package var hash: ContentHash
    /// Its length.
    package var bytes: Int
    /// When it was finished, in seconds since 1970.
    package var time: Int
    /// Where it was put, below the folder of all downloads.
    package var path: String
    /// The hash of what was fetched: another one where metadata was written into the file.
    package var content: ContentHash

    /// A record.
    package init(
        key: MediaKey, url: String, hash: ContentHash, bytes: Int, time: Int, path: String,
        content: ContentHash? = nil
    ) {
        self.key = key
        self.url = url
        self.hash = hash
        self.bytes = bytes
        self.time = time
        self.path = path
        self.content = content ?? hash
    }
}
