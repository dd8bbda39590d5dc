import Glibc
import ProviderModel
import WorkerProtocol

extension ContractReader {
    /// Reads an item and writes it; returns where in what is written its id stands.
    ///
    /// Fields the contract does not name go to `extra`.
    mutating func item(
        to writer: inout ByteWriter, _ unknown: inout UnknownFields
    ) throws(ContractViolation) -> Range<Int> {
        unknown.removeAll()
        var (id, hasType, hasMedia) = (0..<0, false, false)
        let depth = depth
        try fields(of: ItemField.self, "an item") { reader, field throws(ContractViolation) in
            switch field {
            case .id:
                writer.write(WireField.Item.id.rawValue)
                let start = writer.count
                try reader.identifier(to: &writer)
                id = start..<writer.count
            case .type:
                writer.write(WireField.Item.type.rawValue)
                writer.write(case: try reader.choice(of: Self.kinds))
                hasType = true
            case .title: try reader.text(WireField.Item.title, to: &writer)
            case .description: try reader.text(WireField.Item.description, to: &writer)
            case .page: try reader.url(WireField.Item.page, to: &writer)
            case .tags: try reader.texts(WireField.Item.tags, to: &writer)
            case .author: try reader.author(to: &writer, &unknown, below: depth)
            case .license: try reader.license(to: &writer, &unknown, below: depth)
            case .created: try reader.date(WireField.Item.created, to: &writer)
            case .location: try reader.location(to: &writer, &unknown, below: depth)
            case .camera: try reader.camera(to: &writer, &unknown, below: depth)
            case .colors: try reader.colors(to: &writer)
            case .stats: try reader.statistics(to: &writer)
            case .media:
                try reader.mediaList(to: &writer, &unknown, below: depth)
                hasMedia = true
            case .rating:
                guard let rating = try reader.optionalChoice(Item.Rating.self) else { break }
                writer.write(WireField.Item.rating.rawValue)
                writer.write(case: rating)
            case .extra: try unknown.takeExtra(&reader)
            case nil: try unknown.take(&reader, below: depth)
            }
        }
        if id.isEmpty { try pass(missing("id", Self.identifierExpectation)) }
        if !hasType { try pass(missing("type", "one of image, collection")) }
        if !hasMedia { try pass(missing("media", "an array of media")) }
        unknown.write(to: &writer)
        writer.endPart()
        return id
    }

    /// Reads an item.
    mutating func item() throws(ContractViolation) -> Item {
        var unknown = UnknownFields()
        let item: WireItem = try written { reader, writer throws(ContractViolation) in
            _ = try reader.item(to: &writer, &unknown)
        }
        return item.item
    }

    /// A value by way of what is written for it.
    mutating func written<Value: WireValue>(
        _ write: (inout ContractReader, inout ByteWriter) throws(ContractViolation) -> Void
    ) throws(ContractViolation) -> Value {
        var writer = ByteWriter()
        try write(&self, &writer)
        // Of a value with parts that were passed over, not everything is written.
        try checkPassed()
        var reader = ByteReader(writer.bytes)
        do throws(WireError) { return try reader.read() } catch {
            preconditionFailure("what was written cannot be read: \(error)")
        }
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

    /// Passes on an ISO 8601 date, or date and time.
    mutating func date(
        _ field: some RawRepresentable<UInt8>, to writer: inout ByteWriter
    ) throws(ContractViolation) {
        let expectation = "an ISO 8601 date (see parseDate)"
        guard let text = try optionalString(expectation) else { return }
        guard ISO8601Date(text) != nil else { throw violation("expected \(expectation), found \(text.quoted)") }
        writer.write(field.rawValue)
        writer.write(text)
    }

    /// Passes on a text, which may be absent.
    mutating func text(_ field: some RawRepresentable<UInt8>, to writer: inout ByteWriter) throws(ContractViolation) {
        if try takeAbsent("a string") { return }
        writer.write(field.rawValue)
        try passString(to: &writer)
    }

    /// Passes on an absolute URL, which may be absent.
    mutating func url(_ field: some RawRepresentable<UInt8>, to writer: inout ByteWriter) throws(ContractViolation) {
        if try takeAbsent("an absolute URL") { return }
        writer.write(field.rawValue)
        try passURL(to: &writer)
    }

    /// Passes on a whole number, which may be absent.
    mutating func integer(
        _ field: some RawRepresentable<UInt8>, in range: ClosedRange<Int>, _ expectation: String,
        to writer: inout ByteWriter
    ) throws(ContractViolation) {
        guard let number = try optionalInteger(in: range, expectation) else { return }
        writer.write(field.rawValue)
        writer.write(number)
    }

    /// Passes on an array of strings, which may be absent.
    private mutating func texts(
        _ field: some RawRepresentable<UInt8>, to writer: inout ByteWriter
    ) throws(ContractViolation) {
        if try takeAbsent("an array of strings") { return }
        writer.write(field.rawValue)
        let list = writer.openList()
        var count = 0
        try array("an array of strings") { reader throws(ContractViolation) in
            try reader.passString(to: &writer)
            count += 1
        }
        writer.closeList(list, count: count)
    }

    private static let kinds = NameTable<Item.Kind>()

    private static let identifierExpectation = "a string that is not empty, or a whole number"

    /// Passes on a string, or a whole number as its digits: what a source counts with need not be turned into text, which
    /// would make a field that is gone into the word “undefined”.
    mutating func identifier(to writer: inout ByteWriter) throws(ContractViolation) {
        if let digits = takeDigits() ?? takeText(where: { !$0.isEmpty && !Self.mayBeRemains($0) }) {
            writer.write(text: digits)
        } else {
            writer.write(try identifier())
        }
    }

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
        let isGone = ["undefined", "null", "NaN"].contains { word in
            text.hasSuffix(word)
                && (text.utf8.count == word.utf8.count || "-_:/".contains(text.dropLast(word.count).last ?? " "))
        }
        guard !isGone, !text.holds("[object Object]") else {
            throw violation("expected \(what), found \(text.quoted), as if a field of the answer were gone")
        }
    }

    /// Whether text may end in such a word or hold such brackets, as hardly any does: it is asked of every file's URL,
    /// of which `isURL` looks at what comes before query and fragment.
    static func mayBeRemains(_ text: UnsafeBufferPointer<UInt8>, isURL: Bool = false) -> Bool {
        func count(before character: Unicode.Scalar, in bytes: UnsafeBufferPointer<UInt8>.SubSequence) -> Int? {
            guard !bytes.isEmpty, let start = UnsafeBufferPointer(rebasing: bytes).baseAddress else { return nil }
            return memchr(start, Int32(character.value), bytes.count).map {
                UnsafeRawPointer($0) - UnsafeRawPointer(start)
            }
        }
        var seen = text[...]
        if isURL, let end = count(before: "?", in: seen) { seen = seen.prefix(end) }
        if isURL, let end = count(before: "#", in: seen) { seen = seen.prefix(end) }
        if count(before: "[", in: seen) != nil { return true }
        let last = seen.last
        return last == UInt8(ascii: "d") || last == UInt8(ascii: "l") || last == UInt8(ascii: "N")
    }
}
