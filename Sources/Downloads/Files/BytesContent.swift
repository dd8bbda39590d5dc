/// Bytes in memory.
package struct BytesContent: FileContent {
    private let all: [UInt8]

    /// These bytes.
    package init(_ bytes: [UInt8]) { all = bytes }

    /// Their number.
    package var count: Int { all.count }

    /// The bytes from an offset, fewer at the end.
    package func bytes(at offset: Int, count: Int) throws(DownloadError) -> [UInt8] {
        let start = min(max(offset, 0), all.count)
        return Array(all[start..<start + min(max(count, 0), all.count - start)])
    }
}
