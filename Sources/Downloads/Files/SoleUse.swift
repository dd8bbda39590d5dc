import Synchronization

/// Tells that a file cannot have come into a folder since it was planned: nobody else works there, and this run has not
/// begun it before.
///
/// To look would take a fiftieth of the time of a small file, and six times as much where it may have any ending.
final class SoleUse: Sendable {
    /// As long as it is open, whoever comes sees that somebody is there.
    private let folder: OpenFolder
    private let arrivals: FolderArrivals?
    private let begun = Mutex<[UInt64]>([])

    /// How many words of bits tell which files were begun, a power of two.
    private static let words = 1 << 10

    init(of folder: OpenFolder) {
        self.folder = folder
        let arrivals = FolderArrivals(in: folder)
        // What came between the two looks is of somebody else, and files of an empty folder are planned without one.
        let isAsFound = !folder.wasEmpty || OpenFolder.isEmpty(folder.descriptor)
        self.arrivals = isAsFound ? arrivals : nil
    }

    /// Whether nobody else has worked in the folder since this run came.
    var isAlone: Bool { arrivals?.areNone ?? false }

    /// Notes that a file is begun; true when it cannot be there.
    ///
    /// A few share a bit, and count as begun before.
    func isFirst(_ key: MediaKey) -> Bool {
        guard isAlone else { return false }
        let place = UInt(bitPattern: key.hashValue)
        let (word, bit) = (Int(place >> 6) & (Self.words - 1), UInt64(1) << (place & 63))
        return begun.withLock { begun in
            if begun.isEmpty { begun = Array(repeating: 0, count: Self.words) }
            defer { begun[word] |= bit }
            return begun[word] & bit == 0
        }
    }
}
