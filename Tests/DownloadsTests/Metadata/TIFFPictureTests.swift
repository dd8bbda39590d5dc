import Synchronization
import Testing

@testable import Downloads

/// What makes the pictures of a TIFF file, where the file means harm.
struct TIFFPictureTests {
    /// A file of one directory, whose entries all lead to the whole file.
    private func file(next: UInt32, value: UInt32, entries: Int = 40) -> [UInt8] {
        func little(_ number: UInt32, _ width: Int) -> [UInt8] {
            (0..<width).map { UInt8(truncatingIfNeeded: number >> ($0 * 8)) }
        }
        var bytes = Array("II".utf8) + little(42, 2) + little(8, 4) + little(UInt32(entries), 2)
        for tag in 0..<entries {
            bytes += little(UInt32(1_000 + tag), 2) + little(1, 2) + little(value, 4) + little(0, 4)
        }
        return bytes + little(next, 4)
    }

    @Test(arguments: [(UInt32(8), UInt32(4)), (0, 490), (8, 490)])
    func directoriesThatComeAgainAndValuesThatOverlapAreReadTwiceAtMost(next: UInt32, value: UInt32) throws {
        let content = CountingContent(file(next: next, value: value))
        #expect(content.count == 494)
        #expect(try PictureData.digest(of: content, as: .tiff) == nil)
        #expect(content.bytesRead <= 3 * content.count)
    }

    @Test func valuesMayShareBytes() throws {
        let content = CountingContent(file(next: 0, value: 8, entries: 20))
        #expect(try PictureData.digest(of: content, as: .tiff) != nil)
    }
}

/// Bytes in memory that count how many of them are read.
private final class CountingContent: FileContent {
    private let all: BytesContent
    private let read = Mutex(0)

    init(_ bytes: [UInt8]) { all = BytesContent(bytes) }

    var count: Int { all.count }
    var bytesRead: Int { read.withLock { $0 } }

    func bytes(at offset: Int, count: Int) throws(DownloadError) -> [UInt8] {
        let bytes = try all.bytes(at: offset, count: count)
        read.withLock { $0 += bytes.count }
        return bytes
    }
}
