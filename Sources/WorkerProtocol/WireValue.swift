import ProviderModel

/// A value that can be sent between the processes.
package protocol WireValue: SendableMetatype {
    /// Reads a value.
    ///
    /// - Throws: ``WireError`` where the bytes are none.
    init(from reader: inout ByteReader) throws(WireError)
    /// Writes the value.
    func write(to writer: inout ByteWriter)
}

/// A value that is sent as its fields, in order.
package protocol WireRecord: WireValue {
    /// A value whose fields are all about to be read.
    static var blank: Self { get }
    /// The fields, in the order in which they cross.
    static var wireFields: [WireField<Self>] { get }
}

/// A field of a record.
package struct WireField<Root>: Sendable {
    fileprivate let read: @Sendable (inout ByteReader, inout Root) throws(WireError) -> Void
    fileprivate let write: @Sendable (Root, inout ByteWriter) -> Void

    /// A field with a value that can cross.
    package init<Value: WireValue>(_ path: WritableKeyPath<Root, Value> & Sendable) {
        read = { reader, root throws(WireError) in root[keyPath: path] = try reader.read() }
        write = { root, writer in writer.write(root[keyPath: path]) }
    }

    /// A field with bytes.
    package init(bytes path: WritableKeyPath<Root, [UInt8]> & Sendable) {
        read = { reader, root throws(WireError) in root[keyPath: path] = try reader.readBytes() }
        write = { root, writer in writer.write(root[keyPath: path]) }
    }
}

extension WireRecord {
    package init(from reader: inout ByteReader) throws(WireError) {
        var value = Self.blank
        for field in Self.wireFields { try field.read(&reader, &value) }
        self = value
    }

    package func write(to writer: inout ByteWriter) {
        for field in Self.wireFields { field.write(self, &writer) }
    }
}

/// An enumeration crosses as its name.
extension WireValue where Self: RawRepresentable<String> {
    package init(from reader: inout ByteReader) throws(WireError) {
        let text = try reader.readText()
        guard let value = Self(rawValue: text) else { throw .malformed("\(text.quoted) for a \(Self.self)") }
        self = value
    }

    package func write(to writer: inout ByteWriter) { writer.write(text: rawValue) }
}

/// A value that is sent as text, which may not be valid.
package protocol WireText: WireValue, CustomStringConvertible {
    /// "host pattern".
    static var wireName: String { get }
    static func parsed(_ text: String) -> Self?
}

extension WireText {
    package init(from reader: inout ByteReader) throws(WireError) {
        let text = try reader.readText()
        guard let value = Self.parsed(text) else { throw .malformed("\(Self.wireName) \(text.quoted)") }
        self = value
    }

    package func write(to writer: inout ByteWriter) { writer.write(text: description) }
}

// MARK: Values of the language

extension String: WireValue {
    package init(from reader: inout ByteReader) throws(WireError) { self = try reader.readText() }

    package func write(to writer: inout ByteWriter) { writer.write(text: self) }
}

extension Int: WireValue {
    package init(from reader: inout ByteReader) throws(WireError) {
        let raw = try reader.readUnsigned()
        self.init(truncatingIfNeeded: Int64(bitPattern: raw >> 1) ^ -Int64(bitPattern: raw & 1))
    }

    /// Zigzag, so that small negative numbers stay short.
    package func write(to writer: inout ByteWriter) {
        writer.write(unsigned: UInt64(bitPattern: Int64((self << 1) ^ (self >> 63))))
    }
}

extension Double: WireValue {
    package init(from reader: inout ByteReader) throws(WireError) { self = try reader.readDouble() }

    package func write(to writer: inout ByteWriter) { writer.write(double: self) }
}

extension Bool: WireValue {
    package init(from reader: inout ByteReader) throws(WireError) {
        switch try reader.readByte() {
        case 0: self = false
        case 1: self = true
        default: throw .malformed("a Boolean that is neither 0 nor 1")
        }
    }

    package func write(to writer: inout ByteWriter) { writer.write(byte: self ? 1 : 0) }
}

extension Optional: WireValue where Wrapped: WireValue {
    package init(from reader: inout ByteReader) throws(WireError) {
        self = try Bool(from: &reader) ? try Wrapped(from: &reader) : nil
    }

    package func write(to writer: inout ByteWriter) {
        writer.write(self != nil)
        if let self { writer.write(self) }
    }
}

extension Array: WireValue where Element: WireValue {
    package init(from reader: inout ByteReader) throws(WireError) {
        let count = try reader.readCount()
        self = []
        reserveCapacity(Swift.min(count, 1_024))
        for _ in 0..<count { append(try Element(from: &reader)) }
    }

    package func write(to writer: inout ByteWriter) {
        writer.write(unsigned: UInt64(count))
        for element in self { element.write(to: &writer) }
    }
}
