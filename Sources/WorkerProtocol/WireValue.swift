import ProviderModel

/// A value that can cross the wall.
package protocol WireValue {
    init(from reader: inout ByteReader) throws(WireError)
    func write(to writer: inout ByteWriter)
}

extension ByteWriter {
    package mutating func write(_ value: some WireValue) { value.write(to: &self) }

    package mutating func write(_ values: [some WireValue]) {
        write(UInt64(values.count))
        for value in values { value.write(to: &self) }
    }

    package mutating func write(_ values: [String]) {
        write(UInt64(values.count))
        for value in values { write(value) }
    }

    package mutating func write(_ value: (some WireValue)?) {
        write(value != nil)
        if let value { value.write(to: &self) }
    }

    package mutating func write(_ text: String?) {
        write(text != nil)
        if let text { write(text) }
    }

    package mutating func write(_ number: Int?) {
        write(number != nil)
        if let number { write(number) }
    }

    package mutating func write(_ number: Double?) {
        write(number != nil)
        if let number { write(number) }
    }

    package mutating func write(_ flag: Bool?) {
        write(flag != nil)
        if let flag { write(flag) }
    }

    package mutating func write<Value: RawRepresentable>(_ value: Value) where Value.RawValue == String {
        write(value.rawValue)
    }

    package mutating func write<Value: RawRepresentable>(_ value: Value?) where Value.RawValue == String {
        write(value?.rawValue)
    }
}

extension ByteReader {
    package mutating func read<Value: WireValue>(_: Value.Type = Value.self) throws(WireError) -> Value {
        try Value(from: &self)
    }

    package mutating func readArray<Value: WireValue>(of _: Value.Type = Value.self) throws(WireError) -> [Value] {
        let count = try readCount()
        var values: [Value] = []
        values.reserveCapacity(min(count, 1_024))
        for _ in 0..<count { values.append(try Value(from: &self)) }
        return values
    }

    package mutating func readStrings() throws(WireError) -> [String] {
        let count = try readCount()
        var values: [String] = []
        values.reserveCapacity(min(count, 1_024))
        for _ in 0..<count { values.append(try readString()) }
        return values
    }

    package mutating func readOptional<Value: WireValue>(_: Value.Type = Value.self) throws(WireError) -> Value? {
        try readBool() ? try Value(from: &self) : nil
    }

    package mutating func readOptionalString() throws(WireError) -> String? { try readBool() ? try readString() : nil }

    package mutating func readOptionalInt() throws(WireError) -> Int? { try readBool() ? try readInt() : nil }

    package mutating func readOptionalDouble() throws(WireError) -> Double? { try readBool() ? try readDouble() : nil }

    package mutating func readOptionalBool() throws(WireError) -> Bool? { try readBool() ? try readBool() : nil }

    package mutating func readChoice<Value: RawRepresentable>(_: Value.Type = Value.self) throws(WireError) -> Value
    where Value.RawValue == String {
        let text = try readString()
        guard let value = Value(rawValue: text) else { throw .malformed("\(text.quoted) for a \(Value.self)") }
        return value
    }

    package mutating func readOptionalChoice<Value: RawRepresentable>(
        _: Value.Type = Value.self
    ) throws(WireError) -> Value? where Value.RawValue == String {
        try readBool() ? try readChoice(Value.self) : nil
    }
}

extension WebURL: WireValue {
    package init(from reader: inout ByteReader) throws(WireError) {
        let text = try reader.readString()
        do { self = try WebURL(text) } catch { throw .malformed("a URL that is \(error)") }
    }

    package func write(to writer: inout ByteWriter) { writer.write(description) }
}

extension JSONText: WireValue {
    package init(from reader: inout ByteReader) throws(WireError) { self.init(validated: try reader.readString()) }

    package func write(to writer: inout ByteWriter) { writer.write(description) }
}

extension NamedValue: WireValue {
    package init(from reader: inout ByteReader) throws(WireError) {
        let name = try reader.readString()
        self.init(name, try reader.readString())
    }

    package func write(to writer: inout ByteWriter) {
        writer.write(name)
        writer.write(value)
    }
}

extension SourceLocation: WireValue {
    package init(from reader: inout ByteReader) throws(WireError) {
        let file = try reader.readString()
        let line = try reader.readInt()
        self.init(file: file, line: line, column: try reader.readInt())
    }

    package func write(to writer: inout ByteWriter) {
        writer.write(file)
        writer.write(line)
        writer.write(column)
    }
}
