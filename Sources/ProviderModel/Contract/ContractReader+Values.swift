extension ContractReader {
    // MARK: Texts

    /// A string.
    package mutating func string(_ expectation: @autoclosure () -> String = "a string") throws(ContractViolation)
        -> String
    {
        guard peek() == UInt8(ascii: "\"") else { throw expected(expectation()) }
        return try parsing { json throws(InvalidJSON) in try json.string() }
    }

    /// A string, which may be absent.
    package mutating func optionalString(
        _ expectation: @autoclosure () -> String = "a string"
    ) throws(ContractViolation) -> String? {
        try takeAbsent(expectation()) ? nil : try string(expectation())
    }

    /// A string with something in it.
    package mutating func nonEmptyString(
        _ expectation: @autoclosure () -> String = "a string that is not empty"
    ) throws(ContractViolation) -> String {
        let text = try string(expectation())
        guard !text.isEmpty else { throw violation("expected \(expectation()), found \"\"") }
        return text
    }

    /// An array of strings, which may be absent.
    package mutating func strings() throws(ContractViolation) -> [String] {
        var strings: [String] = []
        if try takeAbsent("an array of strings") { return [] }
        try array("an array of strings") { reader throws(ContractViolation) in strings.append(try reader.string()) }
        return strings
    }

    /// An object of strings, which may be absent.
    package mutating func namedStrings() throws(ContractViolation) -> [NamedValue] {
        if try takeAbsent("an object of strings") { return [] }
        var values: [NamedValue] = []
        try object("an object of strings") { reader, name throws(ContractViolation) in
            try reader.tolerating { reader throws(ContractViolation) in
                if let value = try reader.optionalString() { values.append(NamedValue(name, value)) }
            }
        }
        return values
    }

    /// A string that people read; where faults are left out, U+FFFD takes the place of half a character in it.
    mutating func text(_ expectation: @autoclosure () -> String) throws(ContractViolation) -> String {
        guard leavesOutFaults, peek() == UInt8(ascii: "\"") else { return try string(expectation()) }
        let start = json
        do throws(ContractViolation) { return try string(expectation()) } catch {
            json = start
            let text = try parsing { json throws(InvalidJSON) in try json.stringRepairingLoneSurrogates() }
            note(error, .character)
            return text
        }
    }

    /// One of an enumeration's names.
    package mutating func choice<Value: RawRepresentable<String> & CaseIterable>(
        _: Value.Type = Value.self
    ) throws(ContractViolation) -> Value {
        let start = json
        guard let value = Value(rawValue: try string(Self.expectation(for: Value.self))) else {
            json = start
            throw expected(Self.expectation(for: Value.self))
        }
        return value
    }

    /// `one of image, collection`.
    static func expectation<Value: RawRepresentable<String> & CaseIterable>(for _: Value.Type) -> String {
        "one of " + Value.allCases.map(\.rawValue).joined(separator: ", ")
    }

    /// An absolute URL.
    package mutating func url() throws(ContractViolation) -> WebURL {
        let text = try string("an absolute URL")
        let url: WebURL
        do throws(InvalidURL) { url = try WebURL(text) } catch {
            throw violation("expected an absolute URL, found \(error)")
        }
        // `https:${path}` of a field that is gone has a host.
        if rules == .contract { try checkHoldsNoMissingValue(url.host, "an absolute URL") }
        return url
    }

    /// An absolute URL, which may be absent.
    package mutating func optionalURL() throws(ContractViolation) -> WebURL? {
        try takeAbsent("an absolute URL") ? nil : try url()
    }

    /// A string, or a whole number as its digits: what a source counts with need not be turned into text, which would make
    /// a field that is gone into the word "undefined".
    mutating func identifier() throws(ContractViolation) -> String {
        let expectation = Self.identifierExpectation
        guard let first = peek(), first == UInt8(ascii: "-") || (0x30...0x39).contains(first) else {
            let text = try nonEmptyString(expectation)
            if rules == .contract { try checkHoldsNoMissingValue(text, "an id") }
            return text
        }
        let number = try number(expectation)
        guard number == number.rounded() else { throw violation("expected \(expectation), found \(number)") }
        // From 2^53 on, neighbouring numbers become the same in JavaScript.
        guard number.magnitude < 0x1p53 else {
            throw violation(
                "expected \(expectation) below 2^53, found \(number.shortest), which may be rounded; read it as text, with "
                    + "res.text (see \"Large numbers\" in docs/provider-contract.md)")
        }
        return number.shortest
    }

    static let identifierExpectation = "a string that is not empty, or a whole number"

    /// Refuses a text that JavaScript made of a field that is gone: `undefined`, `7-null`, `[object Object]`.
    func checkHoldsNoMissingValue(_ text: String, _ expectation: String) throws(ContractViolation) {
        let utf8 = text.utf8
        var isGone = utf8.contains(UInt8(ascii: "[")) && text.holds("[object Object]")
        for word in ["undefined", "null", "NaN"] where utf8.last == word.utf8.last {
            let start = utf8.dropLast(word.utf8.count)
            let isAlone = start.last.map("-_:/".utf8.contains) ?? true
            isGone = isGone || isAlone && utf8.suffix(word.utf8.count).elementsEqual(word.utf8)
        }
        guard !isGone else {
            throw violation("expected \(expectation), found \(text.quoted), as of a missing field of the response")
        }
    }

    // MARK: Numbers

    /// A number.
    package mutating func number(
        _ expectation: @autoclosure () -> String = "a number"
    ) throws(ContractViolation) -> Double {
        guard let first = peek(), first == UInt8(ascii: "-") || (0x30...0x39).contains(first) else {
            throw expected(expectation())
        }
        return try parsing { json throws(InvalidJSON) in try json.number() }
    }

    /// A number within a range.
    mutating func number(
        in range: ClosedRange<Double>, _ expectation: @autoclosure () -> String
    ) throws(ContractViolation) -> Double {
        let start = json
        let value = try number(expectation())
        guard range.contains(value) else {
            json = start
            throw expected(expectation())
        }
        return value
    }

    /// A whole number within a range.
    package mutating func integer(
        in range: ClosedRange<Int>, _ expectation: @autoclosure () -> String
    ) throws(ContractViolation) -> Int {
        let start = json
        let value = try number(expectation())
        guard let whole = Int(exactly: value), range.contains(whole) else {
            json = start
            let isTooMuch = value > Double(range.upperBound) && value == value.rounded()
            throw expected(isTooMuch ? "\(expectation()), at most \(range.upperBound)" : expectation())
        }
        return whole
    }

    /// A whole number within a range, which may be absent.
    package mutating func optionalInteger(
        in range: ClosedRange<Int>, _ expectation: @autoclosure () -> String
    ) throws(ContractViolation) -> Int? {
        try takeAbsent(expectation()) ? nil : try integer(in: range, expectation())
    }

    // MARK: Other values

    /// True or false.
    package mutating func boolean() throws(ContractViolation) -> Bool {
        switch peek() {
        case UInt8(ascii: "t"):
            try parsing { json throws(InvalidJSON) in try json.word("true") }
            return true
        case UInt8(ascii: "f"):
            try parsing { json throws(InvalidJSON) in try json.word("false") }
            return false
        default: throw expected("true or false")
        }
    }

    /// Any value, as its JSON text.
    package mutating func jsonText() throws(ContractViolation) -> JSONText { JSONText(validated: try rawValue()) }

    /// Passes over any value; lone surrogates in it are violations all the same.
    package mutating func skip() throws(ContractViolation) {
        try parsing { json throws(InvalidJSON) in try json.skip() }
    }

    mutating func rawValue() throws(ContractViolation) -> String {
        try parsing { json throws(InvalidJSON) in try json.rawValue() }
    }

    /// An array of names and indices, as a path.
    package mutating func pathSteps() throws(ContractViolation) -> [PathStep] {
        var steps: [PathStep] = []
        try array { reader throws(ContractViolation) in
            if reader.peek() == UInt8(ascii: "\"") {
                steps.append(.field(try reader.string()))
            } else {
                steps.append(.index(try reader.integer(in: 0...Int(Int32.max), "an index")))
            }
        }
        return steps
    }
}
