import ProviderModel

/// Items cross without their provider: the host knows whom it asked, and does not ask the worker.
package struct WireItem: WireValue {
    package var item: Item

    package init(_ item: Item) { self.item = item }

    /// Stands in until the host puts the right one.
    package static let unknownProvider = ProviderID("unknown") ?? { preconditionFailure("a valid id") }()

    /// Stands in until all of an object has been read.
    package static let unknownURL: WebURL = {
        do { return try WebURL("https://unset.invalid/") } catch { preconditionFailure("a valid URL") }
    }()

    package init(from reader: inout ByteReader) throws(WireError) { item = try Self.item(from: &reader) }

    /// Reads an item itself: taken out of a `WireItem` it would be copied, text by text.
    static func item(from reader: inout ByteReader) throws(WireError) -> Item {
        var item = Item(provider: Self.unknownProvider, id: "")
        var (hasID, hasType) = (false, false)
        while let field = try reader.readField(of: WireField.Item.self) {
            switch field {
            case .id: (item.id, hasID) = (try reader.readString(), true)
            case .type: (item.type, hasType) = (try reader.readCase(), true)
            case .title: item.title = try reader.readString()
            case .description: item.description = try reader.readString()
            case .page: item.page = try reader.read()
            case .tags: item.tags = try reader.readTextList()
            case .author: item.author = try reader.read()
            case .license: item.license = try reader.read()
            case .created: item.created = try reader.readString()
            case .location: item.location = try reader.read()
            case .camera: item.camera = try reader.read()
            case .colors: item.colors = try reader.readTextList()
            case .stats: item.stats = try reader.readList()
            case .media: item.media = try reader.readList()
            case .rating: item.rating = try reader.readCase(Item.Rating.self)
            case .extra: item.extra = try reader.read()
            }
        }
        guard hasID, hasType else { throw .malformed("an item without id or type") }
        return item
    }

    package func write(to writer: inout ByteWriter) {
        writer.write(WireField.Item.id, item.id)
        writer.write(WireField.Item.type.rawValue)
        writer.write(case: item.type)
        writer.write(WireField.Item.title, item.title)
        writer.write(WireField.Item.description, item.description)
        writer.write(WireField.Item.page, item.page)
        writer.write(WireField.Item.tags, item.tags)
        writer.write(WireField.Item.author, item.author)
        writer.write(WireField.Item.license, item.license)
        writer.write(WireField.Item.created, item.created)
        writer.write(WireField.Item.location, item.location)
        writer.write(WireField.Item.camera, item.camera)
        writer.write(WireField.Item.colors, item.colors)
        writer.write(WireField.Item.stats, item.stats)
        writer.write(WireField.Item.media, item.media)
        if let rating = item.rating {
            writer.write(WireField.Item.rating.rawValue)
            writer.write(case: rating)
        }
        writer.write(WireField.Item.extra, item.extra)
        writer.endPart()
    }
}

extension Author: WireValue {
    package init(from reader: inout ByteReader) throws(WireError) {
        self.init(name: "")
        while let field = try reader.readField(of: WireField.Author.self) {
            switch field {
            case .name: name = try reader.readString()
            case .id: id = try reader.readString()
            case .url: url = try reader.read()
            }
        }
    }

    package func write(to writer: inout ByteWriter) {
        writer.write(WireField.Author.name, name)
        writer.write(WireField.Author.id, id)
        writer.write(WireField.Author.url, url)
        writer.endPart()
    }
}

extension License: WireValue {
    package init(from reader: inout ByteReader) throws(WireError) {
        self.init(id: "")
        while let field = try reader.readField(of: WireField.License.self) {
            switch field {
            case .id: id = try reader.readString()
            case .name: name = try reader.readString()
            case .url: url = try reader.read()
            }
        }
    }

    package func write(to writer: inout ByteWriter) {
        writer.write(WireField.License.id, id)
        writer.write(WireField.License.name, name)
        writer.write(WireField.License.url, url)
        writer.endPart()
    }
}

extension Location: WireValue {
    package init(from reader: inout ByteReader) throws(WireError) {
        self.init()
        while let field = try reader.readField(of: WireField.Location.self) {
            switch field {
            case .name: name = try reader.readString()
            case .city: city = try reader.readString()
            case .country: country = try reader.readString()
            case .latitude: latitude = try reader.readDouble()
            case .longitude: longitude = try reader.readDouble()
            }
        }
    }

    package func write(to writer: inout ByteWriter) {
        writer.write(WireField.Location.name, name)
        writer.write(WireField.Location.city, city)
        writer.write(WireField.Location.country, country)
        writer.write(WireField.Location.latitude, latitude)
        writer.write(WireField.Location.longitude, longitude)
        writer.endPart()
    }
}

extension Camera: WireValue {
    package init(from reader: inout ByteReader) throws(WireError) {
        self.init()
        while let field = try reader.readField(of: WireField.Camera.self) {
            switch field {
            case .make: make = try reader.readString()
            case .model: model = try reader.readString()
            case .lens: lens = try reader.readString()
            case .exposure: exposure = try reader.readString()
            case .aperture: aperture = try reader.readString()
            case .focalLength: focalLength = try reader.readString()
            case .iso: iso = try reader.readInt()
            }
        }
    }

    package func write(to writer: inout ByteWriter) {
        writer.write(WireField.Camera.make, make)
        writer.write(WireField.Camera.model, model)
        writer.write(WireField.Camera.lens, lens)
        writer.write(WireField.Camera.exposure, exposure)
        writer.write(WireField.Camera.aperture, aperture)
        writer.write(WireField.Camera.focalLength, focalLength)
        writer.write(WireField.Camera.iso, iso)
        writer.endPart()
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
        self.init(role: .original, url: WireItem.unknownURL)
        var (hasRole, hasURL) = (false, false)
        while let field = try reader.readField(of: WireField.Media.self) {
            switch field {
            case .role: (role, hasRole) = (try reader.readCase(), true)
            case .url: (url, hasURL) = (try reader.read(), true)
            case .width: width = try reader.readInt()
            case .height: height = try reader.readInt()
            case .bytes: bytes = try reader.readInt()
            case .format: format = try reader.readString()
            case .expires: expires = try reader.readString()
            case .watermarked: isWatermarked = try reader.readBool()
            case .headers: headers = try reader.readList()
            }
        }
        guard hasRole, hasURL else { throw .malformed("media without role or url") }
    }

    package func write(to writer: inout ByteWriter) {
        writer.write(WireField.Media.role.rawValue)
        writer.write(case: role)
        writer.write(WireField.Media.url, url)
        writer.write(WireField.Media.width, width)
        writer.write(WireField.Media.height, height)
        writer.write(WireField.Media.bytes, bytes)
        writer.write(WireField.Media.format, format)
        writer.write(WireField.Media.expires, expires)
        if let isWatermarked {
            writer.write(WireField.Media.watermarked.rawValue)
            writer.write(isWatermarked)
        }
        writer.write(WireField.Media.headers, headers)
        writer.endPart()
    }
}
