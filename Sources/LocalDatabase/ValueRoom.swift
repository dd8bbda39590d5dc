/// Where the texts and blobs that a statement was given lie until it has run.
///
/// SQLite would ask the system for memory for each of them, and give it back, which takes longer than copying them.
struct ValueRoom {
    private var start: UnsafeMutableRawPointer
    private var size: Int
    private var used = 0
    /// What is full and still in use: what has been bound must stay where it is, so that no room ever grows.
    private var full: [UnsafeMutableRawPointer] = []

    private static let usualSize = 16 << 10

    init() {
        size = Self.usualSize
        start = .allocate(byteCount: size, alignment: 1)
    }

    /// Copies bytes to where they stay until the room is cleared.
    mutating func keep(_ bytes: UnsafeRawBufferPointer) -> UnsafeRawPointer {
        if bytes.count > size - used { extend(by: bytes.count) }
        let place = start + used
        if let first = bytes.baseAddress { place.copyMemory(from: first, byteCount: bytes.count) }
        used += bytes.count
        return UnsafeRawPointer(place)
    }

    private mutating func extend(by needed: Int) {
        full.append(start)
        size = max(needed, Self.usualSize)
        start = .allocate(byteCount: size, alignment: 1)
        used = 0
    }

    /// Makes the room free again.
    mutating func clear() {
        used = 0
        guard !full.isEmpty else { return }
        for block in full { block.deallocate() }
        full = []
    }

    /// Gives the room back.
    mutating func deallocate() {
        clear()
        start.deallocate()
    }
}
