import ProviderModel

/// Items cross without their provider: the host knows whom it asked, and does not ask the worker.
package struct WireItem: WireValue {
    package var item: Item

    package init(_ item: Item) { self.item = item }

    /// Stands in until the host puts the right one.
    package static let unknownProvider = ProviderID("unknown") ?? { preconditionFailure("a valid id") }()

    package init(from reader: inout ByteReader) throws(WireError) {
        let id = try reader.readString()
        item = Item(provider: Self.unknownProvider, id: id, type: try reader.readChoice())
        item.title = try reader.readOptionalString()
        item.description = try reader.readOptionalString()
        item.page = try reader.readOptional()
        item.tags = try reader.readStrings()
        item.author = try reader.readOptional()
        item.license = try reader.readOptional()
        item.created = try reader.readOptionalString()
        item.location = try reader.readOptional()
        item.camera = try reader.readOptional()
        item.colors = try reader.readStrings()
        item.stats = try reader.readArray()
        item.media = try reader.readArray()
        item.rating = try reader.readOptionalChoice()
        item.extra = try reader.readOptional()
    }

    package func write(to writer: inout ByteWriter) {
        writer.write(item.id)
        writer.write(item.type)
        writer.write(item.title)
        writer.write(item.description)
        writer.write(item.page)
        writer.write(item.tags)
        writer.write(item.author)
        writer.write(item.license)
        writer.write(item.created)
        writer.write(item.location)
        writer.write(item.camera)
        writer.write(item.colors)
        writer.write(item.stats)
        writer.write(item.media)
        writer.write(item.rating)
        writer.write(item.extra)
    }
}

extension Author: WireValue {
    package init(from reader: inout ByteReader) throws(WireError) {
        self.init(name: try reader.readString())
        id = try reader.readOptionalString()
        url = try reader.readOptional()
    }

    package func write(to writer: inout ByteWriter) {
        writer.write(name)
        writer.write(id)
        writer.write(url)
    }
}

extension License: WireValue {
    package init(from reader: inout ByteReader) throws(WireError) {
        self.init(id: try reader.readString())
        name = try reader.readOptionalString()
        url = try reader.readOptional()
    }

    package func write(to writer: inout ByteWriter) {
        writer.write(id)
        writer.write(name)
        writer.write(url)
    }
}

extension Location: WireValue {
    package init(from reader: inout ByteReader) throws(WireError) {
        self.init()
        name = try reader.readOptionalString()
        city = try reader.readOptionalString()
        country = try reader.readOptionalString()
        latitude = try reader.readOptionalDouble()
        longitude = try reader.readOptionalDouble()
    }

    package func write(to writer: inout ByteWriter) {
        writer.write(name)
        writer.write(city)
        writer.write(country)
        writer.write(latitude)
        writer.write(longitude)
    }
}

extension Camera: WireValue {
    package init(from reader: inout ByteReader) throws(WireError) {
        self.init()
        make = try reader.readOptionalString()
        model = try reader.readOptionalString()
        lens = try reader.readOptionalString()
        exposure = try reader.readOptionalString()
        aperture = try reader.readOptionalString()
        focalLength = try reader.readOptionalString()
        iso = try reader.readOptionalInt()
    }

    package func write(to writer: inout ByteWriter) {
        writer.write(make)
        writer.write(model)
        writer.write(lens)
        writer.write(exposure)
        writer.write(aperture)
        writer.write(focalLength)
        writer.write(iso)
    }
}

extension Statistic: WireValue {
    package init(from reader: inout ByteReader) throws(WireError) {
        let name = try reader.readString()
        self.init(name: name, value: try reader.readDouble())
    }

    package func write(to writer: inout ByteWriter) {
        writer.write(name)
        writer.write(value)
    }
}

extension Media: WireValue {
    package init(from reader: inout ByteReader) throws(WireError) {
        let role = try reader.readChoice(Role.self)
        self.init(role: role, url: try reader.read())
        width = try reader.readOptionalInt()
        height = try reader.readOptionalInt()
        bytes = try reader.readOptionalInt()
        format = try reader.readOptionalString()
        expires = try reader.readOptionalString()
        isWatermarked = try reader.readOptionalBool()
        headers = try reader.readArray()
    }

    package func write(to writer: inout ByteWriter) {
        writer.write(role)
        writer.write(url)
        writer.write(width)
        writer.write(height)
        writer.write(bytes)
        writer.write(format)
        writer.write(expires)
        writer.write(isWatermarked)
        writer.write(headers)
    }
}
