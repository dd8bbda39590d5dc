import ProviderModel

/// The fields of an item and of its parts, as the numbers that stand in front of their values.
///
/// They come in whatever order a script gave them, so that a worker writes each as soon as it is checked; absent ones cost
/// nothing. A zero ends the part.
package enum WireField {
    package enum Item: UInt8 {
        case id = 1
        case type, title, description, page, tags, author, license, created, location, camera, colors, stats, media
        case rating, extra
    }

    package enum Author: UInt8 {
        case name = 1
        case id, url
    }

    package enum License: UInt8 {
        case id = 1
        case name, url
    }

    package enum Location: UInt8 {
        case name = 1
        case city, country, latitude, longitude
    }

    package enum Camera: UInt8 {
        case make = 1
        case model, lens, exposure, aperture, focalLength, iso
    }

    package enum Media: UInt8 {
        case role = 1
        case url, width, height, bytes, format, expires, watermarked, headers
    }
}

extension ByteWriter {
    /// Ends a part.
    package mutating func endPart() { write(UInt8(0)) }

    mutating func write<Field: RawRepresentable<UInt8>>(_ field: Field, _ text: String?) {
        guard let text else { return }
        write(field.rawValue)
        write(text)
    }

    mutating func write<Field: RawRepresentable<UInt8>>(_ field: Field, _ number: Int?) {
        guard let number else { return }
        write(field.rawValue)
        write(number)
    }

    mutating func write<Field: RawRepresentable<UInt8>>(_ field: Field, _ number: Double?) {
        guard let number else { return }
        write(field.rawValue)
        write(number)
    }

    mutating func write<Field: RawRepresentable<UInt8>>(_ field: Field, _ value: (some WireValue)?) {
        guard let value else { return }
        write(field.rawValue)
        write(value)
    }

    mutating func write<Field: RawRepresentable<UInt8>>(_ field: Field, _ values: [some WireValue]) {
        guard !values.isEmpty else { return }
        write(field.rawValue)
        write(list: values)
    }

    /// Writes a list, whose length stands before it in four bytes.
    package mutating func write(list values: [some WireValue]) {
        let list = openList()
        for value in values { write(value) }
        closeList(list, count: values.count)
    }

    mutating func write<Field: RawRepresentable<UInt8>>(_ field: Field, _ texts: [String]) {
        guard !texts.isEmpty else { return }
        write(field.rawValue)
        let list = openList()
        for text in texts { write(text) }
        closeList(list, count: texts.count)
    }
}

extension ByteWriter {
    /// Writes a case by its place among all.
    package mutating func write(case kind: Item.Kind) { write(placeOf: kind) }

    package mutating func write(case rating: Item.Rating) { write(placeOf: rating) }

    package mutating func write(case role: Media.Role) { write(placeOf: role) }

    private mutating func write<Value: CaseIterable & Equatable>(placeOf value: Value) where Value.AllCases == [Value] {
        write(UInt8(Value.allCases.firstIndex(of: value) ?? 0))
    }
}

extension ByteReader {
    /// Reads a case by its place among all.
    mutating func readCase<Value: CaseIterable>(_: Value.Type = Value.self) throws(WireError) -> Value
    where Value.AllCases == [Value] {
        let place = Int(try readByte())
        guard place < Value.allCases.count else { throw .malformed("case \(place) of \(Value.self)") }
        return Value.allCases[place]
    }

    /// The next field of a part; nil at its end.
    mutating func readField<Field: RawRepresentable<UInt8>>(of _: Field.Type) throws(WireError) -> Field? {
        let number = try readByte()
        guard number != 0 else { return nil }
        guard let field = Field(rawValue: number) else { throw .malformed("field \(number) of \(Field.self)") }
        return field
    }

    /// Reads a list, whose length stands before it in four bytes.
    mutating func readList<Value: WireValue>(of _: Value.Type = Value.self) throws(WireError) -> [Value] {
        let count = try readListCount()
        var values: [Value] = []
        values.reserveCapacity(min(count, 1_024))
        for _ in 0..<count { values.append(try Value(from: &self)) }
        return values
    }

    /// Reads a list of texts.
    mutating func readTextList() throws(WireError) -> [String] {
        let count = try readListCount()
        var values: [String] = []
        values.reserveCapacity(min(count, 1_024))
        for _ in 0..<count { values.append(try readString()) }
        return values
    }
}
