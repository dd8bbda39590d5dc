import Glibc
import ProviderModel

extension ContractReader {
    /// Reads an item.
    ///
    /// Fields the contract does not name go to `extra`.
    mutating func item() throws(ContractViolation) -> Item {
        var item = Item(provider: WireItemDefaults.provider, id: "")
        var unknown = UnknownFields()
        var (hasID, hasType, hasMedia) = (false, false, false)
        let depth = depth
        try fields(of: ItemField.self, "an item") { reader, field throws(ContractViolation) in
            switch field {
            case .id:
                item.id = try reader.identifier()
                hasID = true
            case .type:
                item.type = try reader.choice(of: Self.kinds)
                hasType = true
            case .title: item.title = try reader.optionalString()
            case .description: item.description = try reader.optionalString()
            case .page: item.page = try reader.optionalURL()
            case .tags: item.tags = try reader.strings()
            case .author: item.author = try reader.author(&unknown, below: depth)
            case .license: item.license = try reader.license(&unknown, below: depth)
            case .created: item.created = try reader.date()
            case .location: item.location = try reader.location(&unknown, below: depth)
            case .camera: item.camera = try reader.camera(&unknown, below: depth)
            case .colors: item.colors = try reader.colors()
            case .stats: item.stats = try reader.statistics()
            case .media:
                item.media = try reader.mediaList(&unknown, below: depth)
                hasMedia = true
            case .rating: item.rating = try reader.optionalChoice(Item.Rating.self)
            case .extra: try unknown.takeExtra(&reader)
            case nil: try unknown.take(&reader, below: depth)
            }
        }
        if !hasID { throw missing("id", Self.identifierExpectation) }
        if !hasType { throw missing("type", "one of image, collection") }
        if !hasMedia { throw missing("media", "an array of media") }
        item.extra = unknown.json
        return item
    }

    /// Reads an array of strings, which may be absent.
    mutating func strings() throws(ContractViolation) -> [String] {
        var strings: [String] = []
        if try takeAbsent("an array of strings") { return [] }
        try array("an array of strings") { reader throws(ContractViolation) in strings.append(try reader.string()) }
        return strings
    }

    mutating func nonEmptyString(_ expectation: String) throws(ContractViolation) -> String {
        let text = try string(expectation)
        guard !text.isEmpty else { throw violation("expected \(expectation), found \"\"") }
        return text
    }

    mutating func optionalChoice<Value: RawRepresentable & CaseIterable>(
        _ type: Value.Type
    ) throws(ContractViolation) -> Value? where Value.RawValue == String {
        try takeAbsent("one of " + Value.allCases.map(\.rawValue).joined(separator: ", ")) ? nil : try choice(type)
    }

    /// An ISO 8601 date, or date and time.
    mutating func date() throws(ContractViolation) -> String? {
        let expectation = "an ISO 8601 date (see parseDate)"
        guard let text = try optionalString(expectation) else { return nil }
        guard ISO8601.matches(text) else { throw violation("expected \(expectation), found \(text.quoted)") }
        return text
    }

    private static let kinds = NameTable<Item.Kind>()

    private static let identifierExpectation = "a string that is not empty, or a whole number"

    /// A string, or a whole number as its digits: what a source counts with need not be turned into text, which would make
    /// a field that is gone into the word “undefined”.
    private mutating func identifier() throws(ContractViolation) -> String {
        guard let first = peek, first == UInt8(ascii: "-") || (0x30...0x39).contains(first) else {
            let text = try nonEmptyString(Self.identifierExpectation)
            try checkIsNoRemains(text, "an id")
            return text
        }
        let number = try number(Self.identifierExpectation)
        guard number == number.rounded(), number.magnitude <= 0x1p53 else {
            throw violation("expected \(Self.identifierExpectation), found \(number)")
        }
        return number.shortest
    }

    /// Refuses a text that JavaScript made of a field that is gone: `undefined`, `7-null`, `[object Object]`.
    func checkIsNoRemains(_ text: String, _ what: String) throws(ContractViolation) {
        guard Self.mayBeRemains(text) else { return }
        let isGone = ["undefined", "null", "NaN"].contains { word in
            text.hasSuffix(word)
                && (text.utf8.count == word.utf8.count || "-_:/".contains(text.dropLast(word.count).last ?? " "))
        }
        guard !isGone, !text.contains("[object Object]") else {
            throw violation("expected \(what), found \(text.quoted), as if a field of the answer were gone")
        }
    }

    /// Whether text may end in such a word or hold such brackets, as hardly any does: it is asked of every file's URL,
    /// of which `isURL` looks at what comes before query and fragment.
    static func mayBeRemains(_ text: String, isURL: Bool = false) -> Bool {
        text.utf8.withContiguousStorageIfAvailable { bytes in
            func count(before character: Unicode.Scalar, in bytes: UnsafeBufferPointer<UInt8>.SubSequence) -> Int? {
                guard !bytes.isEmpty, let start = UnsafeBufferPointer(rebasing: bytes).baseAddress else { return nil }
                return memchr(start, Int32(character.value), bytes.count).map {
                    UnsafeRawPointer($0) - UnsafeRawPointer(start)
                }
            }
            var seen = bytes[...]
            if isURL, let end = count(before: "?", in: seen) { seen = seen.prefix(end) }
            if isURL, let end = count(before: "#", in: seen) { seen = seen.prefix(end) }
            if count(before: "[", in: seen) != nil { return true }
            let last = seen.last
            return last == UInt8(ascii: "d") || last == UInt8(ascii: "l") || last == UInt8(ascii: "N")
        } ?? true
    }

    private mutating func author(
        _ unknown: inout UnknownFields, below depth: Int
    ) throws(ContractViolation) -> Author? {
        if try takeAbsent("an author") { return nil }
        var author = Author(name: "")
        try fields(of: AuthorField.self, "an author") { reader, field throws(ContractViolation) in
            switch field {
            case .name: author.name = try reader.string()
            case .id: author.id = try reader.takeAbsent("an id") ? nil : try reader.identifier()
            case .url: author.url = try reader.optionalURL()
            case nil: try unknown.take(&reader, below: depth)
            }
        }
        if author.name.isEmpty { throw missing("name", "a string that is not empty") }
        return author
    }

    private mutating func license(
        _ unknown: inout UnknownFields, below depth: Int
    ) throws(ContractViolation) -> License? {
        if try takeAbsent("a licence") { return nil }
        var license = License(id: "")
        try fields(of: LicenseField.self, "a licence") { reader, field throws(ContractViolation) in
            switch field {
            case .id: license.id = try reader.string()
            case .name: license.name = try reader.optionalString()
            case .url: license.url = try reader.optionalURL()
            case nil: try unknown.take(&reader, below: depth)
            }
        }
        if license.id.isEmpty { throw missing("id", "a string that is not empty") }
        return license
    }

    private mutating func location(
        _ unknown: inout UnknownFields, below depth: Int
    ) throws(ContractViolation) -> Location? {
        if try takeAbsent("a location") { return nil }
        var location = Location()
        try fields(of: LocationField.self, "a location") { reader, field throws(ContractViolation) in
            switch field {
            case .name: location.name = try reader.optionalString()
            case .city: location.city = try reader.optionalString()
            case .country: location.country = try reader.optionalString()
            case .latitude:
                location.latitude = try reader.optionalNumber(in: -90...90, "degrees from -90 to 90")
            case .longitude:
                location.longitude = try reader.optionalNumber(in: -180...180, "degrees from -180 to 180")
            case nil: try unknown.take(&reader, below: depth)
            }
        }
        return location == Location() ? nil : location
    }

    private mutating func camera(
        _ unknown: inout UnknownFields, below depth: Int
    ) throws(ContractViolation) -> Camera? {
        if try takeAbsent("a camera") { return nil }
        var camera = Camera()
        try fields(of: CameraField.self, "a camera") { reader, field throws(ContractViolation) in
            switch field {
            case .make: camera.make = try reader.optionalString()
            case .model: camera.model = try reader.optionalString()
            case .lens: camera.lens = try reader.optionalString()
            case .exposure: camera.exposure = try reader.optionalString()
            case .aperture: camera.aperture = try reader.optionalString()
            case .focalLength: camera.focalLength = try reader.optionalString()
            case .iso: camera.iso = try reader.optionalInteger(in: 1...10_000_000, "a whole number above 0")
            case nil: try unknown.take(&reader, below: depth)
            }
        }
        return camera == Camera() ? nil : camera
    }

    private mutating func colors() throws(ContractViolation) -> [String] {
        let colors = try strings()
        for (index, color) in colors.enumerated() {
            let isColor = color.utf8.count == 7 && color.hasPrefix("#") && color.dropFirst().allSatisfy(\.isHexDigit)
            guard isColor else {
                let place = path + [.index(index)]
                throw ContractViolation(
                    path: place.text, message: "expected a colour as #rrggbb, found \(color.quoted)")
            }
        }
        return colors
    }

    private mutating func statistics() throws(ContractViolation) -> [Statistic] {
        if try takeAbsent("an object of numbers") { return [] }
        var statistics: [Statistic] = []
        try object("an object of numbers") { reader, name throws(ContractViolation) in
            let value = try reader.optionalNumber(in: -1e15...1e15, "a number")
            if let value { statistics.append(Statistic(name: name, value: value)) }
        }
        return statistics
    }
}
