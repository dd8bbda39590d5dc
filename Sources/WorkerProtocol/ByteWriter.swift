/// Appends values to a message: numbers as varints (LEB128), texts and lists with their length before them.
package struct ByteWriter {
    /// What has been written.
    package private(set) var bytes: [UInt8] = []

    /// An empty message with room for `capacity` bytes.
    package init(capacity: Int = 256) { bytes.reserveCapacity(capacity) }

    /// Writes a value.
    package mutating func write(_ value: some WireValue) { value.write(to: &self) }

    /// Writes bytes with their count before them.
    package mutating func write(_ data: [UInt8]) {
        write(unsigned: UInt64(data.count))
        bytes.append(contentsOf: data)
    }

    /// Writes one byte.
    package mutating func write(byte: UInt8) { bytes.append(byte) }

    /// Writes a number from 0.
    package mutating func write(unsigned number: UInt64) {
        var rest = number
        while rest >= 0x80 {
            bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        bytes.append(UInt8(rest))
    }

    mutating func write(text: String) {
        var text = text
        text.withUTF8 { utf8 in
            write(unsigned: UInt64(utf8.count))
            bytes.append(contentsOf: utf8)
        }
    }

    mutating func write(double: Double) {
        withUnsafeBytes(of: double.bitPattern.littleEndian) { bytes.append(contentsOf: $0) }
    }

    /// Puts bytes in place of others, as many.
    mutating func replace(from start: Int, with new: [UInt8]) {
        bytes.replaceSubrange(start..<start + new.count, with: new)
    }
}
