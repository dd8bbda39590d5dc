import ProviderModel
import WorkerProtocol

/// The parts of an item that are objects of their own.
extension ContractReader {
    mutating func author(
        to writer: inout ByteWriter, _ unknown: inout UnknownFields, below depth: Int
    ) throws(ContractViolation) {
        if try takeAbsent("an author") { return }
        writer.write(WireField.Item.author.rawValue)
        var hasName = false
        try fields(of: AuthorField.self, "an author") { reader, field throws(ContractViolation) in
            switch field {
            case .name:
                writer.write(WireField.Author.name.rawValue)
                hasName = try reader.passNonEmpty(to: &writer)
            case .id:
                if try reader.takeAbsent("an id") { break }
                writer.write(WireField.Author.id.rawValue)
                try reader.identifier(to: &writer)
            case .url: try reader.url(WireField.Author.url, to: &writer)
            case nil: try unknown.take(&reader, below: depth)
            }
        }
        if !hasName { throw missing("name", "a string that is not empty") }
        writer.endPart()
    }

    mutating func license(
        to writer: inout ByteWriter, _ unknown: inout UnknownFields, below depth: Int
    ) throws(ContractViolation) {
        if try takeAbsent("a licence") { return }
        writer.write(WireField.Item.license.rawValue)
        var hasID = false
        try fields(of: LicenseField.self, "a licence") { reader, field throws(ContractViolation) in
            switch field {
            case .id:
                writer.write(WireField.License.id.rawValue)
                hasID = try reader.passNonEmpty(to: &writer)
            case .name: try reader.text(WireField.License.name, to: &writer)
            case .url: try reader.url(WireField.License.url, to: &writer)
            case nil: try unknown.take(&reader, below: depth)
            }
        }
        if !hasID { throw missing("id", "a string that is not empty") }
        writer.endPart()
    }

    mutating func location(
        to writer: inout ByteWriter, _ unknown: inout UnknownFields, below depth: Int
    ) throws(ContractViolation) {
        if try takeAbsent("a location") { return }
        let start = writer.count
        writer.write(WireField.Item.location.rawValue)
        let empty = writer.count
        try fields(of: LocationField.self, "a location") { reader, field throws(ContractViolation) in
            switch field {
            case .name: try reader.text(WireField.Location.name, to: &writer)
            case .city: try reader.text(WireField.Location.city, to: &writer)
            case .country: try reader.text(WireField.Location.country, to: &writer)
            case .latitude:
                try reader.number(WireField.Location.latitude, in: -90...90, "degrees from -90 to 90", to: &writer)
            case .longitude:
                try reader.number(WireField.Location.longitude, in: -180...180, "degrees from -180 to 180", to: &writer)
            case nil: try unknown.take(&reader, below: depth)
            }
        }
        if writer.count == empty { writer.takeBack(to: start) } else { writer.endPart() }
    }

    mutating func camera(
        to writer: inout ByteWriter, _ unknown: inout UnknownFields, below depth: Int
    ) throws(ContractViolation) {
        if try takeAbsent("a camera") { return }
        let start = writer.count
        writer.write(WireField.Item.camera.rawValue)
        let empty = writer.count
        try fields(of: CameraField.self, "a camera") { reader, field throws(ContractViolation) in
            switch field {
            case .make: try reader.text(WireField.Camera.make, to: &writer)
            case .model: try reader.text(WireField.Camera.model, to: &writer)
            case .lens: try reader.text(WireField.Camera.lens, to: &writer)
            case .exposure: try reader.text(WireField.Camera.exposure, to: &writer)
            case .aperture: try reader.text(WireField.Camera.aperture, to: &writer)
            case .focalLength: try reader.text(WireField.Camera.focalLength, to: &writer)
            case .iso:
                try reader.integer(WireField.Camera.iso, in: 1...10_000_000, "a whole number above 0", to: &writer)
            case nil: try unknown.take(&reader, below: depth)
            }
        }
        if writer.count == empty { writer.takeBack(to: start) } else { writer.endPart() }
    }

    mutating func colors(to writer: inout ByteWriter) throws(ContractViolation) {
        let colors = try strings()
        for (index, color) in colors.enumerated() {
            let isColor = color.utf8.count == 7 && color.hasPrefix("#") && color.dropFirst().allSatisfy(\.isHexDigit)
            guard isColor else {
                let place = path + [.index(index)]
                throw ContractViolation(
                    path: place.text, message: "expected a colour as #rrggbb, found \(color.quoted)")
            }
        }
        guard !colors.isEmpty else { return }
        writer.write(WireField.Item.colors.rawValue)
        let list = writer.openList()
        for color in colors { writer.write(color) }
        writer.closeList(list, count: colors.count)
    }

    mutating func statistics(to writer: inout ByteWriter) throws(ContractViolation) {
        if try takeAbsent("an object of numbers") { return }
        writer.write(WireField.Item.stats.rawValue)
        let list = writer.openList()
        var count = 0
        try namedMembers("an object of numbers") { reader, name throws(ContractViolation) in
            guard let value = try reader.optionalNumber(in: -1e15...1e15, "a number") else { return }
            writer.write(text: name)
            writer.write(value)
            count += 1
        }
        writer.closeList(list, count: count)
    }

    private mutating func number(
        _ field: some RawRepresentable<UInt8>, in range: ClosedRange<Double>, _ expectation: String,
        to writer: inout ByteWriter
    ) throws(ContractViolation) {
        guard let number = try optionalNumber(in: range, expectation) else { return }
        writer.write(field.rawValue)
        writer.write(number)
    }

    /// Passes on a text, and says whether there is anything in it.
    private mutating func passNonEmpty(to writer: inout ByteWriter) throws(ContractViolation) -> Bool {
        let start = writer.count
        try passString(to: &writer)
        // An empty one is nothing but its length.
        return writer.count > start + 1
    }
}
