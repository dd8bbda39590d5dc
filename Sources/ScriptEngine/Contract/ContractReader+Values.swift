import ProviderModel
import WorkerProtocol

// MARK: Values that are passed on

extension ContractReader {
    /// Reads a text and writes it.
    mutating func passString(
        to writer: inout ByteWriter, _ expectation: String = "a string"
    ) throws(ContractViolation) {
        guard peek == UInt8(ascii: "\"") else { throw expected(expectation) }
        if let plain = cursor.plainString() {
            writer.write(text: plain)
        } else {
            writer.write(try rawString())
        }
    }

    /// Reads an absolute URL and writes it in its normal form, which nearly all of them have already.
    mutating func passURL(to writer: inout ByteWriter) throws(ContractViolation) {
        if let plain = takeText(where: WebURL.isNormal) { writer.write(text: plain) } else { writer.write(try url()) }
    }

    /// Reads a text without escapes that is as it should be; otherwise nothing is read.
    mutating func takeText(where isFine: (UnsafeBufferPointer<UInt8>) -> Bool) -> UnsafeBufferPointer<UInt8>? {
        let start = cursor.position
        if peek == UInt8(ascii: "\""), let text = cursor.plainString(), isFine(text) { return text }
        cursor.position = start
        return nil
    }

    /// Reads the digits of a whole number of few of them; otherwise nothing is read.
    mutating func takeDigits() -> UnsafeBufferPointer<UInt8>? { cursor.shortWholeDigits() }
}

// MARK: Values

extension ContractReader {
    mutating func string(_ expectation: String = "a string") throws(ContractViolation) -> String {
        guard peek == UInt8(ascii: "\"") else { throw expected(expectation) }
        return try rawString()
    }

    mutating func optionalString(_ expectation: String = "a string") throws(ContractViolation) -> String? {
        try takeAbsent(expectation) ? nil : try string(expectation)
    }

    mutating func number(_ expectation: String = "a number") throws(ContractViolation) -> Double {
        let start = cursor.position
        guard let value = cursor.number() else {
            cursor.position = start
            throw expected(expectation)
        }
        return value
    }

    /// A whole number within `range`.
    mutating func integer(in range: ClosedRange<Int>, _ expectation: String) throws(ContractViolation) -> Int {
        let start = cursor.position
        let value = try number(expectation)
        guard let whole = Int(exactly: value), range.contains(whole) else {
            cursor.position = start
            let isTooMuch = value > Double(range.upperBound) && value == value.rounded()
            throw expected(isTooMuch ? "\(expectation), at most \(range.upperBound)" : expectation)
        }
        return whole
    }

    mutating func optionalInteger(
        in range: ClosedRange<Int>, _ expectation: String
    ) throws(ContractViolation) -> Int? {
        try takeAbsent(expectation) ? nil : try integer(in: range, expectation)
    }

    mutating func optionalNumber(
        in range: ClosedRange<Double>, _ expectation: String
    ) throws(ContractViolation) -> Double? {
        if try takeAbsent(expectation) { return nil }
        let start = cursor.position
        let value = try number(expectation)
        guard range.contains(value) else {
            cursor.position = start
            throw expected(expectation)
        }
        return value
    }

    mutating func boolean() throws(ContractViolation) -> Bool {
        switch peek {
        case UInt8(ascii: "t"):
            cursor.position += 4
            return true
        case UInt8(ascii: "f"):
            cursor.position += 5
            return false
        default: throw expected("true or false")
        }
    }

    mutating func url() throws(ContractViolation) -> WebURL {
        let text = try string("an absolute URL")
        do throws(InvalidURL) { return try WebURL(text) } catch {
            throw violation("expected an absolute URL, found \(error)")
        }
    }

    mutating func optionalURL() throws(ContractViolation) -> WebURL? {
        try takeAbsent("an absolute URL") ? nil : try url()
    }

    /// One of an enumeration's names, which are looked up in their table.
    mutating func choice<Value: CaseIterable & RawRepresentable<String> & Sendable>(
        of names: NameTable<Value>
    ) throws(ContractViolation) -> Value {
        let start = cursor.position
        if peek == UInt8(ascii: "\""), let name = cursor.plainString(), let value = names.value(named: name) {
            return value
        }
        cursor.position = start
        return try choice(Value.self)
    }

    /// One of an enumeration's names.
    mutating func choice<Value: RawRepresentable & CaseIterable>(_: Value.Type) throws(ContractViolation) -> Value
    where Value.RawValue == String {
        // The names are put together only where they are told.
        guard peek == UInt8(ascii: "\""), let value = Value(rawValue: try rawString()) else {
            throw expected("one of " + Value.allCases.map(\.rawValue).joined(separator: ", "))
        }
        return value
    }

    /// Any value, as its JSON text.
    mutating func json() throws(ContractViolation) -> JSONText {
        JSONText(validated: String(decoding: try rawValue(), as: UTF8.self))
    }

    /// Any value, as it is written.
    mutating func rawValue() throws(ContractViolation) -> UnsafeBufferPointer<UInt8> {
        let start = cursor.position
        try skip()
        return cursor.bytes(from: start)
    }

    /// Passes over any value; lone surrogates in it are violations all the same.
    mutating func skip() throws(ContractViolation) {
        do throws(JSONCursor.LoneSurrogate) { try cursor.skip() } catch { throw violation(error) }
    }

    /// An array of names and indices, as the prelude writes a path.
    mutating func pathSteps() throws(ContractViolation) -> [PathStep] {
        var steps: [PathStep] = []
        try array { reader throws(ContractViolation) in
            if reader.peek == UInt8(ascii: "\"") {
                steps.append(.field(try reader.string()))
            } else {
                steps.append(.index(try reader.integer(in: 0...Int(Int32.max), "an index")))
            }
        }
        return steps
    }

    /// A string, where one is known to begin.
    mutating func rawString() throws(ContractViolation) -> String {
        do throws(JSONCursor.LoneSurrogate) { return try cursor.string() } catch { throw violation(error) }
    }
}
