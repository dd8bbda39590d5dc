/// Appends values to a message in the wall's encoding: varints (LEB128), and length-prefixed UTF-8.
package struct ByteWriter {
    /// What has been written.
    package private(set) var bytes: [UInt8] = []

    /// An empty message with room for `capacity` bytes.
    package init(capacity: Int = 256) { bytes.reserveCapacity(capacity) }

    /// How many bytes have been written.
    package var count: Int { bytes.count }

    package mutating func write(_ byte: UInt8) { bytes.append(byte) }

    package mutating func write(_ number: UInt64) {
        var rest = number
        while rest >= 0x80 {
            bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        bytes.append(UInt8(rest))
    }

    /// Zigzag, so that small negative numbers stay short.
    package mutating func write(_ number: Int) { write(UInt64(bitPattern: Int64((number << 1) ^ (number >> 63)))) }

    package mutating func write(_ number: Double) {
        withUnsafeBytes(of: number.bitPattern.littleEndian) { bytes.append(contentsOf: $0) }
    }

    package mutating func write(_ flag: Bool) { bytes.append(flag ? 1 : 0) }

    package mutating func write(_ text: String) {
        var text = text
        text.withUTF8 { utf8 in
            write(UInt64(utf8.count))
            bytes.append(contentsOf: utf8)
        }
    }

    /// Writes a text from its UTF-8.
    package mutating func write(text utf8: UnsafeBufferPointer<UInt8>) {
        write(UInt64(utf8.count))
        bytes.append(contentsOf: utf8)
    }

    package mutating func write(_ data: [UInt8]) {
        write(UInt64(data.count))
        bytes.append(contentsOf: data)
    }

    /// Appends what is encoded already.
    package mutating func append(_ encoded: [UInt8]) { bytes.append(contentsOf: encoded) }

    /// Makes room for the number of a list's elements, which is known once they are written.
    package mutating func openList() -> Int {
        let place = bytes.count
        for _ in 0..<4 { bytes.append(0) }
        return place
    }

    /// Puts the number of elements where `openList` made room for it.
    package mutating func closeList(_ place: Int, count: Int) {
        let count = UInt32(count).littleEndian
        bytes.withUnsafeMutableBytes { $0.storeBytes(of: count, toByteOffset: place, as: UInt32.self) }
    }

    /// Takes back what has been written since there were so many bytes.
    package mutating func takeBack(to count: Int) { bytes.removeLast(bytes.count - count) }

    /// Gives up what has been written, once `amend` has put its last touches on it.
    consuming func finish(_ amend: (inout [UInt8]) -> Void) -> [UInt8] {
        amend(&bytes)
        return bytes
    }
}
