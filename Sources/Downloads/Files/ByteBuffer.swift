/// Bytes one after another; to add a few takes next to nothing, as for one who writes very many short texts.
struct ByteBuffer: ~Copyable {
    private var start: UnsafeMutablePointer<UInt8>
    private var capacity: Int
    private(set) var count = 0

    /// A buffer with room for this many bytes at first.
    init(capacity: Int) {
        self.capacity = capacity
        start = .allocate(capacity: capacity)
    }

    deinit { start.deallocate() }

    /// Adds bytes to the end.
    @inline(__always)
    mutating func add(_ bytes: UnsafeBufferPointer<UInt8>) {
        guard let first = bytes.baseAddress else { return }
        if bytes.count > capacity - count { grow(by: bytes.count) }
        (start + count).initialize(from: first, count: bytes.count)
        count += bytes.count
    }

    /// Adds a text to the end.
    @inline(__always)
    mutating func add(_ text: StaticString) { text.withUTF8Buffer { add($0) } }

    /// Adds a text to the end.
    @_disfavoredOverload
    mutating func add(_ text: String) {
        var text = text
        text.withUTF8 { add($0) }
    }

    /// Forgets all bytes, and keeps the room.
    mutating func clear() { count = 0 }

    /// Calls `body` with the bytes.
    func withBytes<Result>(_ body: (UnsafeRawBufferPointer) throws -> Result) rethrows -> Result {
        try body(UnsafeRawBufferPointer(start: start, count: count))
    }

    private mutating func grow(by needed: Int) {
        capacity = max(capacity * 2, count + needed)
        let larger = UnsafeMutablePointer<UInt8>.allocate(capacity: capacity)
        larger.initialize(from: start, count: count)
        start.deallocate()
        start = larger
    }
}
