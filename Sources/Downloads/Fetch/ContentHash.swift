import CXXHash

/// What a content is known by: its XXH3, its SHA-256, or both.
package struct ContentHash: Hashable, Sendable {
    /// Its XXH3 of 128 bits, as `xxhsum -H2` writes it; nil where the archive knows another.
    ///
    /// It takes a twentieth of the time of a SHA-256, which would be a third of all that a small file costs. Contents that
    /// differ do not have the same by chance, but whoever wants to can make two that do.
    package private(set) var xxh128: [UInt8]?
    /// Its SHA-256; nil where nobody asked for it.
    package private(set) var sha256: [UInt8]?

    /// A hash that was computed.
    package init(xxh128: [UInt8], sha256: [UInt8]? = nil) {
        self.xxh128 = xxh128
        self.sha256 = sha256
    }

    /// A hash that was kept: its length tells which it is.
    package init(kept: [UInt8]) { if kept.count == 16 { xxh128 = kept } else { sha256 = kept } }

    /// The one that is kept, which is the stronger one.
    package var kept: [UInt8] { sha256 ?? xxh128 ?? [] }

    /// Whether both may be of the same content, as far as what is known of both says.
    package func agrees(with other: ContentHash) -> Bool {
        if let sha256, let known = other.sha256 { return sha256 == known }
        return xxh128 != nil && xxh128 == other.xxh128
    }
}

extension cxxhash_128 {
    /// The halves one after another, the higher first.
    var bytes: [UInt8] {
        Array(unsafeUninitializedCapacity: 16) { buffer, count in
            let bytes = UnsafeMutableRawBufferPointer(buffer)
            bytes.storeBytes(of: high.bigEndian, as: UInt64.self)
            bytes.storeBytes(of: low.bigEndian, toByteOffset: 8, as: UInt64.self)
            count = 16
        }
    }
}
