/// One file that was fetched.
package struct ArchiveRecord: Hashable, Sendable {
    /// What it is.
    package var key: MediaKey
    /// Where it came from.
    package var url: String
    /// The SHA-256 of the file.
    package var sha256: [UInt8]
    /// Its length.
    package var bytes: Int
    /// When it was finished, in seconds since 1970.
    package var time: Int
    /// Where it was put, below the folder of all downloads.
    package var path: String
    /// The SHA-256 of what was fetched: another one where metadata was written into the file.
    package var content: [UInt8]

    /// A record.
    package init(
        key: MediaKey, url: String, sha256: [UInt8], bytes: Int, time: Int, path: String, content: [UInt8]? = nil
    ) {
        self.key = key
        self.url = url
        self.sha256 = sha256
        self.bytes = bytes
        self.time = time
        self.path = path
        self.content = content ?? sha256
    }
}
