/// A body in memory that never grows past its limit.
struct BoundedBuffer {
    /// The most bytes that are kept.
    let limit: Int
    /// What has arrived.
    private(set) var bytes: [UInt8] = []

    init(limit: Int) { self.limit = limit }

    /// Makes room for a body of the announced length, as far as the announcement is believable.
    mutating func expect(_ count: Int) { bytes.reserveCapacity(min(max(count, 0), limit, 1 << 20)) }

    /// Appends a chunk; false when it would not fit, and then nothing is kept of it.
    mutating func append(_ chunk: UnsafeRawBufferPointer) -> Bool {
        guard chunk.count <= limit - bytes.count else { return false }
        bytes.append(contentsOf: chunk)
        return true
    }
}
