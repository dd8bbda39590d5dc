@testable import Downloads

/// Bytes in memory.
struct MemoryContent: FileContent {
    private let all: [UInt8]

    /// These bytes.
    init(_ bytes: [UInt8]) { all = bytes }

    var count: Int { all.count }

    func bytes(at offset: Int, count: Int) throws(DownloadError) -> [UInt8] {
        let start = min(max(offset, 0), all.count)
        return Array(all[start..<start + min(max(count, 0), all.count - start)])
    }
}
