import ProviderModel
import Synchronization

@testable import Downloads

/// The heads of pictures, and what tells whether they are whole.
extension FuzzTarget {
    /// Where a picture seems to come from has no part in this; the formats are tried one after another.
    static func readImage(_ bytes: [UInt8]) throws(BrokenPromise) {
        let content = CountedContent(bytes)
        let signature = ImageSignature(bytes)
        if case .media(let format) = signature {
            guard let listed = try? ImageSignature(of: content) else {
                throw BrokenPromise(description: "what is in memory can be read")
            }
            try require(listed == signature, "a format is the same by few bytes and by many")
            try require(MediaFormat(named: format.fileEnding) == format, "the ending of a format's files names it")
        }
        if let url = try? WebURL("https://example.com/a.jpg") {
            _ = try? ImageCheck(content, of: Media(role: .original, url: url))
        }
        for format in MediaFormat.allCases {
            let layout = try? ImageLayout(of: content, as: format)
            try require(layout?.size.map { $0.width > 0 && $0.height > 0 } ?? true, "a picture has a size")
            _ = try? PictureData.digest(of: content, as: format)
        }
        try require(content.reads < 100_000, "a file is read a bounded number of times, not \(content.reads)")
        try require(
            content.bytesRead < 200 * content.count + 1 << 20,
            "each part of a file is read a few times, not \(content.bytesRead) bytes of \(content.count)")
    }
}

/// Bytes in memory that count how often they are asked for, and how many of them.
private final class CountedContent: FileContent {
    private let all: [UInt8]
    private let counts = Mutex((reads: 0, bytes: 0))

    init(_ bytes: [UInt8]) { all = bytes }

    var count: Int { all.count }
    var reads: Int { counts.withLock { $0.reads } }
    var bytesRead: Int { counts.withLock { $0.bytes } }

    func bytes(at offset: Int, count: Int) throws(DownloadError) -> [UInt8] {
        let start = min(max(offset, 0), all.count)
        let bytes = Array(all[start..<start + min(max(count, 0), all.count - start)])
        counts.withLock { $0 = ($0.reads + 1, $0.bytes + bytes.count) }
        return bytes
    }
}
