import ProviderModel

extension ProviderQuery: WireValue {
    package init(from reader: inout ByteReader) throws(WireError) {
        self.init(text: try reader.readString())
        page = try reader.readInt()
        offset = try reader.readInt()
        limit = try reader.readInt()
        cursor = try reader.readOptional()
        parameters = try reader.readArray()
        near = try reader.readOptional()
        instance = try reader.readOptional()
    }

    package func write(to writer: inout ByteWriter) {
        writer.write(text)
        writer.write(page)
        writer.write(offset)
        writer.write(limit)
        writer.write(cursor)
        writer.write(parameters)
        writer.write(near)
        writer.write(instance)
    }
}

extension ProviderQuery.Point: WireValue {
    package init(from reader: inout ByteReader) throws(WireError) {
        let latitude = try reader.readDouble()
        guard let point = Self(latitude: latitude, longitude: try reader.readDouble()) else {
            throw .malformed("a point that is not on the earth")
        }
        self = point
    }

    package func write(to writer: inout ByteWriter) {
        writer.write(latitude)
        writer.write(longitude)
    }
}

extension ProviderQuery.Parameter: WireValue {
    package init(from reader: inout ByteReader) throws(WireError) {
        let name = try reader.readString()
        self.init(name, try reader.read())
    }

    package func write(to writer: inout ByteWriter) {
        writer.write(name)
        writer.write(value)
    }
}

extension ParameterValue: WireValue {
    package init(from reader: inout ByteReader) throws(WireError) {
        switch try reader.readByte() {
        case 0: self = .text(try reader.readString())
        case 1: self = .number(try reader.readDouble())
        case 2: self = .boolean(try reader.readBool())
        case 3: self = .list(try reader.readStrings())
        case let kind: throw .malformed("parameter kind \(kind)")
        }
    }

    package func write(to writer: inout ByteWriter) {
        switch self {
        case .text(let text):
            writer.write(UInt8(0))
            writer.write(text)
        case .number(let number):
            writer.write(UInt8(1))
            writer.write(number)
        case .boolean(let flag):
            writer.write(UInt8(2))
            writer.write(flag)
        case .list(let values):
            writer.write(UInt8(3))
            writer.write(values)
        }
    }
}
