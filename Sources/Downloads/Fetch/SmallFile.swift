/// A file of which so little is lost with the program that it need not be on disk before it is whole.
struct SmallFile {
    /// Up to this length a file that another run finds unfinished is begun anew.
    static let lengthLimit = 128 << 10

    /// Where bytes of the file belong.
    enum Place {
        /// In memory, where they were kept.
        case memory
        /// In the file, which is whole with them: after what was kept of it, or all of it by themselves.
        case whole(kept: [UInt8]?)
    }

    /// What it turned out to be; nil as long as it is not whole.
    var check: Result<ImageCheck?, DownloadError>?
    private let total: Int
    private var kept: [UInt8]?

    /// A file of this length; nil for one that is not small.
    init?(total: Int) {
        guard total <= Self.lengthLimit else { return nil }
        self.total = total
    }

    /// What is missing behind the bytes that are kept; nil where none are.
    var missing: Range<Int>? { kept.map { $0.count..<total } }

    /// Keeps bytes unless the file is whole with them; what comes in one piece is never copied.
    mutating func put(_ bytes: UnsafeRawBufferPointer, at offset: Int, _ buffers: FileBuffers) -> Place {
        if bytes.count == total { return .whole(kept: nil) }
        var whole = kept.take() ?? buffers.take()
        precondition(offset == whole.count, "a small file comes in one piece")
        whole.append(contentsOf: bytes)
        if whole.count == total { return .whole(kept: whole) }
        kept = whole
        return .memory
    }
}
