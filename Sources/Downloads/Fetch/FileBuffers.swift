import Synchronization

/// Memory for what has come of files: small ones whole, pieces of others.
///
/// Given back to the system after each file, it would have to be got again page by page for the next.
final class FileBuffers: Sendable {
    /// How much fits into one.
    static let length = SmallFile.lengthLimit

    private let idle = Mutex<[[UInt8]]>([])
    private let lent = Atomic(0)
    private let kept = Atomic(0)

    /// How many are kept for the next files.
    private static let idleLimit = 64
    /// How many pieces are gathered at a time, of all files.
    private static let lentLimit = 48
    /// How many are kept to be hashed: as much as comes while whoever hashes it waits for a processor.
    private static let keptLimit = 32

    /// An empty buffer.
    func take() -> [UInt8] {
        var buffer = idle.withLock { $0.popLast() } ?? []
        // All have room for any small file, so that each will do for the next one.
        buffer.reserveCapacity(Self.length)
        return buffer
    }

    /// Takes a buffer back that nobody else holds.
    func takeBack(_ buffer: consuming [UInt8]) {
        buffer.removeAll(keepingCapacity: true)
        let empty = buffer
        idle.withLock { idle in
            if idle.count < Self.idleLimit { idle.append(empty) }
        }
    }

    /// An empty buffer for a piece of a file; nil when many files have one.
    func lend() -> [UInt8]? { lent.addOne(upTo: Self.lentLimit) ? take() : nil }

    /// Takes a lent buffer back.
    func takeBackLent(_ buffer: consuming [UInt8]) {
        lent.wrappingSubtract(1, ordering: .relaxed)
        takeBack(buffer)
    }

    /// Leaves a lent buffer to whoever can do without it; false when many are kept, and then nothing has changed.
    func leave() -> Bool {
        guard kept.addOne(upTo: Self.keptLimit) else { return false }
        lent.wrappingSubtract(1, ordering: .relaxed)
        return true
    }

    /// Takes back a buffer that was left to somebody.
    func takeBackKept(_ buffer: consuming [UInt8]) {
        kept.wrappingSubtract(1, ordering: .relaxed)
        takeBack(buffer)
    }
}

extension Atomic<Int> {
    /// Adds one, unless that would be too many.
    fileprivate func addOne(upTo limit: Int) -> Bool {
        guard wrappingAdd(1, ordering: .relaxed).newValue > limit else { return true }
        wrappingSubtract(1, ordering: .relaxed)
        return false
    }
}
