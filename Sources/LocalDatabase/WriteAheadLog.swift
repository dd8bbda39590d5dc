import GRDB
import GRDBSQLite
import Glibc

/// The log beside a database (SQLite's file format, section 4), as a process left it that was killed.
///
/// SQLite ends reading at the first frame whose checksum is wrong, so that a flipped bit takes later transactions with it
/// without a word.
struct WriteAheadLog {
    private static let headerLength = 32
    private static let frameHeaderLength = 24
    /// A full disk ends a file where one of its blocks does.
    private static let block = 4_096

    private let path: String

    /// The log of the database at a path.
    init(of database: String) { path = database + "-wal" }

    /// Whether transactions that were written are not read any more.
    ///
    /// Another process may be writing just now: `true` counts only while the database is locked against that.
    var isDamaged: Bool {
        let file = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
        guard file >= 0 else { return false }
        defer { close(file) }
        var facts = stat()
        guard fstat(file, &facts) == 0, facts.st_size > 0 else { return false }
        let header = Self.words(in: file, at: 0, count: Self.headerLength / 4)
        guard header.count == Self.headerLength / 4, header[0] & ~1 == 0x377f_0682,
            (512...65_536).contains(header[2]), Sum().adding(header[..<6], header[0] & 1).isAt(6, of: header)
        else { return true }
        return Self.hasLostFrame(file, Int(facts.st_size), header)
    }

    private static func hasLostFrame(_ file: Int32, _ size: Int, _ header: [UInt32]) -> Bool {
        let length = frameHeaderLength + Int(header[2])
        var sum = Sum(header[6], header[7])
        var isIntact = true
        for start in stride(from: headerLength, through: size - length, by: length) {
            let frame = words(in: file, at: start, count: length / 4)
            guard frame.count == length / 4 else { return false }
            // Frames of an earlier round, which later ones have not overwritten yet, differ in both salts.
            let isOfThisRound = frame[2] == header[4] || frame[3] == header[5]
            if isIntact {
                sum = sum.adding(frame[..<2], header[0] & 1).adding(frame[6...], header[0] & 1)
                isIntact = frame[2] == header[4] && frame[3] == header[5] && sum.isAt(4, of: frame)
            }
            if !isIntact, isOfThisRound { return true }
        }
        let rest = (size - headerLength) % length
        return isIntact && rest != 0 && rest != frameHeaderLength && size % block != 0
    }

    /// Numbers as the log has them, the most significant byte first; fewer where the file ends.
    private static func words(in file: Int32, at offset: Int, count: Int) -> [UInt32] {
        [UInt32](unsafeUninitializedCapacity: count) { buffer, found in
            let bytes = pread(file, buffer.baseAddress, count * 4, offset)
            found = max(bytes, 0) / 4
            for index in 0..<found { buffer[index] = UInt32(bigEndian: buffer[index]) }
        }
    }

    /// The checksum that runs through the whole log.
    private struct Sum {
        private var first: UInt32
        private var second: UInt32

        init(_ first: UInt32 = 0, _ second: UInt32 = 0) { (self.first, self.second) = (first, second) }

        /// With more numbers, an even count; `order` is 1 where they count the most significant byte first.
        func adding(_ words: ArraySlice<UInt32>, _ order: UInt32) -> Sum {
            var sum = self
            for index in stride(from: words.startIndex, to: words.endIndex, by: 2) {
                sum.first &+= (order == 1 ? words[index] : words[index].byteSwapped) &+ sum.second
                sum.second &+= (order == 1 ? words[index + 1] : words[index + 1].byteSwapped) &+ sum.first
            }
            return sum
        }

        func isAt(_ index: Int, of words: [UInt32]) -> Bool { words[index] == first && words[index + 1] == second }
    }
}

extension Database {
    /// Leaves the log beside the file when the connection is closed: SQLite would remove what it has not read of it.
    func keepLog() {
        var isKept: Int32 = 1
        _ = sqlite3_file_control(sqliteConnection, nil, SQLITE_FCNTL_PERSIST_WAL, &isKept)
    }
}
