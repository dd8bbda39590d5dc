import ProviderModel

/// Reads a script's result from its JSON text, checking as it goes.
///
/// The engine's own serialiser has run every getter, proxy and `toJSON` by then: what is read here is plain data that
/// no script can change any more. What JSON text cannot show (`undefined`, `NaN`, a function) is asked of `probe`,
/// which looks at the value itself, and only where it matters.
struct ContractReader {
    /// Describes the value at a path as the script gave it: “undefined”, “NaN”, “null”.
    typealias Probe = ([PathStep]) -> String

    private let bytes: UnsafeBufferPointer<UInt8>
    private let probe: Probe
    private var position = 0
    private(set) var path: [PathStep] = []

    private init(_ bytes: UnsafeBufferPointer<UInt8>, probe: @escaping Probe) {
        self.bytes = bytes
        self.probe = probe
    }

    /// Runs `body` with a reader over JSON text.
    static func read<Value>(
        _ json: [UInt8], probe: @escaping Probe,
        _ body: (inout ContractReader) throws(ContractViolation) -> Value
    ) throws(ContractViolation) -> Value {
        let result: Result<Value, ContractViolation> = json.withUnsafeBufferPointer { bytes in
            var reader = ContractReader(bytes, probe: probe)
            do throws(ContractViolation) { return .success(try body(&reader)) } catch { return .failure(error) }
        }
        return try result.get()
    }

    // MARK: Containers

    /// Reads an object's members; `member` has to read or skip each value.
    mutating func object(
        _ expectation: String = "an object",
        _ member: (inout ContractReader, String) throws(ContractViolation) -> Void
    ) throws(ContractViolation) {
        guard take("{") else { throw expected(expectation) }
        guard !take("}") else { return }
        repeat {
            let name = try rawString()
            _ = take(":")
            path.append(.field(name))
            try member(&self, name)
            path.removeLast()
        } while take(",")
        _ = take("}")
    }

    /// Reads an array's elements; `element` has to read or skip each.
    mutating func array(
        _ expectation: String = "an array", atMost limit: Int = .max,
        _ element: (inout ContractReader) throws(ContractViolation) -> Void
    ) throws(ContractViolation) {
        guard take("[") else { throw expected(expectation) }
        guard !take("]") else { return }
        var index = 0
        repeat {
            guard index < limit else { throw violation("expected at most \(limit) elements, found more") }
            path.append(.index(index))
            try element(&self)
            path.removeLast()
            index += 1
        } while take(",")
        _ = take("]")
    }

    /// Passes over null, which counts as absent; NaN and the like, which JSON turns into null, are violations.
    mutating func takeAbsent(_ expectation: @autoclosure () -> String) throws(ContractViolation) -> Bool {
        guard peek == UInt8(ascii: "n") else { return false }
        let found = probe(path)
        guard found == "null" || found == "undefined" else {
            throw violation("expected \(expectation()), found \(found)")
        }
        position += 4
        return true
    }

    // MARK: Values

    mutating func string(_ expectation: String = "a string") throws(ContractViolation) -> String {
        guard peek == UInt8(ascii: "\"") else { throw expected(expectation) }
        return try rawString()
    }

    mutating func optionalString(_ expectation: String = "a string") throws(ContractViolation) -> String? {
        try takeAbsent(expectation) ? nil : try string(expectation)
    }

    mutating func number(_ expectation: String = "a number") throws(ContractViolation) -> Double {
        guard let first = peek, first == UInt8(ascii: "-") || (0x30...0x39).contains(first) else {
            throw expected(expectation)
        }
        let start = position
        if let whole = shortWholeNumber() { return Double(whole) }
        while let byte = peek, byte > UInt8(ascii: " "), byte != UInt8(ascii: ","), byte != UInt8(ascii: "}"),
            byte != UInt8(ascii: "]")
        {
            position += 1
        }
        guard let value = Double(String(decoding: bytes[start..<position], as: UTF8.self)) else {
            throw expected(expectation)
        }
        return value
    }

    /// A number of a few digits and nothing else, as most are; otherwise nothing is read.
    private mutating func shortWholeNumber() -> Int? {
        var (index, value) = (position, 0)
        while index < bytes.count, (0x30...0x39).contains(bytes[index]), index - position < 15 {
            value = value * 10 + Int(bytes[index] - 0x30)
            index += 1
        }
        guard index > position, index < bytes.count,
            bytes[index] == UInt8(ascii: ",") || bytes[index] == UInt8(ascii: "}")
                || bytes[index] == UInt8(ascii: "]")
        else { return nil }
        position = index
        return value
    }

    /// A whole number within `range`.
    mutating func integer(in range: ClosedRange<Int>, _ expectation: String) throws(ContractViolation) -> Int {
        let start = position
        let value = try number(expectation)
        guard let whole = Int(exactly: value), range.contains(whole) else {
            position = start
            throw expected(expectation)
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
        let start = position
        let value = try number(expectation)
        guard range.contains(value) else {
            position = start
            throw expected(expectation)
        }
        return value
    }

    mutating func boolean() throws(ContractViolation) -> Bool {
        switch peek {
        case UInt8(ascii: "t"):
            position += 4
            return true
        case UInt8(ascii: "f"):
            position += 5
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
        let start = position
        try skip()
        return JSONText(validated: String(decoding: bytes[start..<position], as: UTF8.self))
    }

    /// Passes over any value; lone surrogates in it are violations all the same.
    mutating func skip() throws(ContractViolation) {
        var depth = 0
        repeat {
            switch peek {
            case UInt8(ascii: "\""): _ = try rawString()
            case UInt8(ascii: "{"), UInt8(ascii: "["):
                depth += 1
                position += 1
            case UInt8(ascii: "}"), UInt8(ascii: "]"):
                depth -= 1
                position += 1
            case nil: return
            default: position += 1
            }
            // A number or word goes on to the next separator.
            if depth == 0, let byte = peek, byte != UInt8(ascii: ","), byte != UInt8(ascii: "}"),
                byte != UInt8(ascii: "]")
            {
                continue
            }
            if depth == 0 { return }
        } while true
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

    // MARK: Violations

    /// “expected …, found …” at the current place.
    func expected(_ expectation: String) -> ContractViolation {
        let found = probe(path)
        return violation("expected \(expectation), found \(found)")
    }

    func violation(_ message: String) -> ContractViolation { ContractViolation(path: path.text, message: message) }

    /// The violation of a member that is not there.
    func missing(_ name: String, _ expectation: String) -> ContractViolation {
        let place = path + [.field(name)]
        return ContractViolation(path: place.text, message: "expected \(expectation), found \(probe(place))")
    }

    // MARK: Text

    var peek: UInt8? { position < bytes.count ? bytes[position] : nil }

    private mutating func take(_ character: Unicode.Scalar) -> Bool {
        guard peek == UInt8(ascii: character) else { return false }
        position += 1
        return true
    }

    private mutating func rawString() throws(ContractViolation) -> String {
        position += 1
        let start = position
        while position < bytes.count, bytes[position] != UInt8(ascii: "\""), bytes[position] != UInt8(ascii: "\\") {
            position += 1
        }
        if position < bytes.count, bytes[position] == UInt8(ascii: "\"") {
            defer { position += 1 }
            return String(decoding: bytes[start..<position], as: UTF8.self)
        }
        var text = Array(bytes[start..<position])
        while position < bytes.count, bytes[position] != UInt8(ascii: "\"") {
            if bytes[position] == UInt8(ascii: "\\") {
                try appendEscape(to: &text)
            } else {
                text.append(bytes[position])
                position += 1
            }
        }
        position += 1
        return String(decoding: text, as: UTF8.self)
    }

    private mutating func appendEscape(to text: inout [UInt8]) throws(ContractViolation) {
        let kind = position + 1 < bytes.count ? bytes[position + 1] : 0
        position += 2
        switch kind {
        case UInt8(ascii: "n"): text.append(0x0a)
        case UInt8(ascii: "t"): text.append(0x09)
        case UInt8(ascii: "r"): text.append(0x0d)
        case UInt8(ascii: "b"): text.append(0x08)
        case UInt8(ascii: "f"): text.append(0x0c)
        case UInt8(ascii: "u"):
            // The serialiser escapes controls and lone surrogates only; pairs stand as themselves.
            let digits = String(decoding: bytes[position..<min(position + 4, bytes.count)], as: UTF8.self)
            position += 4
            guard let code = UInt32(digits, radix: 16), let scalar = Unicode.Scalar(code) else {
                throw violation("expected whole characters, found a lone surrogate (\\u\(digits)); use toWellFormed()")
            }
            text.append(contentsOf: String(Character(scalar)).utf8)
        default: text.append(kind)
        }
    }
}
