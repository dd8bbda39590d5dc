import ProviderModel

extension Limits: WireValue {
    package init(from reader: inout ByteReader) throws(WireError) {
        self.init()
        pageSize.minimum = try reader.readInt()
        pageSize.maximum = try reader.readInt()
        pageSize.standard = try reader.readInt()
        guard 1 <= pageSize.minimum, pageSize.minimum <= pageSize.maximum else {
            throw .malformed("page sizes from \(pageSize.minimum) to \(pageSize.maximum)")
        }
        reachable = try reader.readOptionalInt()
        textMinimum = try reader.readInt()
        textMaximum = try reader.readOptionalInt()
        rates = try reader.readArray()
        concurrent = try reader.readOptionalInt()
        resetHeader = try reader.readOptionalString()
        resetUnit = try reader.readOptionalChoice()
    }

    package func write(to writer: inout ByteWriter) {
        writer.write(pageSize.minimum)
        writer.write(pageSize.maximum)
        writer.write(pageSize.standard)
        writer.write(reachable)
        writer.write(textMinimum)
        writer.write(textMaximum)
        writer.write(rates)
        writer.write(concurrent)
        writer.write(resetHeader)
        writer.write(resetUnit)
    }
}

extension Limits.Rate: WireValue {
    package init(from reader: inout ByteReader) throws(WireError) {
        let text = try reader.readString()
        guard let rate = Self(text) else { throw .malformed("rate \(text.quoted)") }
        self = rate
    }

    package func write(to writer: inout ByteWriter) { writer.write(description) }
}

extension Terms: WireValue {
    package init(from reader: inout ByteReader) throws(WireError) {
        self.init()
        url = try reader.readOptional()
        cacheAtLeast = try reader.readOptionalInt()
        cacheAtMost = try reader.readOptionalInt()
        allowsHotlinking = try reader.readOptionalBool()
        attribution = try reader.readOptionalString()
        notice = try reader.readOptionalString()
        license = try reader.readOptionalString()
    }

    package func write(to writer: inout ByteWriter) {
        writer.write(url)
        writer.write(cacheAtLeast)
        writer.write(cacheAtMost)
        writer.write(allowsHotlinking)
        writer.write(attribution)
        writer.write(notice)
        writer.write(license)
    }
}
