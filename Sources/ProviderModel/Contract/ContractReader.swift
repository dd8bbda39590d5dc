/// Reads values of the contract from JSON text, checking as it goes: what scripts return, what workers send, what users
/// give as input.
///
/// Of what a script returns, the engine's own serialiser has run every getter, proxy and `toJSON` by then: what is read
/// is plain data that no script can change any more. What JSON text cannot show (`undefined`, `NaN`, a function) is asked
/// of `probe`, which looks at the value itself, and only where it matters.
package struct ContractReader {
    /// Describes the value at a path as the script gave it: "undefined", "NaN", "null".
    package typealias Probe = ([PathStep]) -> String

    /// How strictly a value is checked.
    package enum Rules: Sendable {
        /// All that the contract says; members that it does not name are gathered in an item's `extra`.
        case contract
        /// Types alone, for files written by hand: what has a default may be missing, other members are ignored.
        case types
    }

    /// How strictly values are checked.
    package let rules: Rules
    private let probe: Probe?
    /// Moved by the readers of values, too.
    var json: JSONReader
    /// Where the value that is read stands.
    package private(set) var path: [PathStep] = []
    /// Violations that reading goes on after; nil where the first one ends it.
    private var violations: ViolationList?
    /// What was left out of the value that is read; nil where nothing is, and the first violation ends the reading.
    private var faults: [ResultFault]?
    /// Members of the item that is read which the contract does not name, as an object up to its last member.
    private var unknownMembers = ""
    /// How many steps down the item that is read stands.
    private var itemDepth = 0

    /// A reader of a JSON text.
    ///
    /// - Throws: ``ContractViolation`` where the text is not UTF-8.
    package init(_ text: [UInt8], rules: Rules = .contract, probe: Probe? = nil) throws(ContractViolation) {
        do throws(InvalidJSON) { json = try JSONReader(text) } catch { throw ContractViolation("\(error)") }
        self.rules = rules
        self.probe = probe
    }

    /// Reads the whole text; `read` has to read one value.
    package static func read<Value>(
        _ text: [UInt8], rules: Rules = .contract, probe: Probe? = nil,
        _ read: (inout ContractReader) throws(ContractViolation) -> Value
    ) throws(ContractViolation) -> Value {
        var reader = try ContractReader(text, rules: rules, probe: probe)
        let value = try read(&reader)
        try reader.parsing { json throws(InvalidJSON) in try json.end() }
        return value
    }

    /// The next byte of the text that is no white space; nil at the end.
    package mutating func peek() -> UInt8? { json.peek() }

    // MARK: Containers

    /// Reads an object's members; `member` has to read or skip each value.
    package mutating func object(
        _ expectation: @autoclosure () -> String = "an object",
        _ member: (inout ContractReader, String) throws(ContractViolation) -> Void
    ) throws(ContractViolation) {
        guard json.take("{") else { throw expected(expectation()) }
        guard !json.take("}") else { return }
        repeat {
            let name = try parsing { json throws(InvalidJSON) in try json.memberName() }
            path.append(.field(name))
            try passing { reader throws(ContractViolation) in try member(&reader, name) }
            path.removeLast()
        } while json.take(",")
        try parsing { json throws(InvalidJSON) in try json.end("}") }
    }

    /// Reads an array's elements; `element` has to read or skip each.
    package mutating func array(
        _ expectation: @autoclosure () -> String = "an array", atMost limit: Int = .max,
        _ element: (inout ContractReader) throws(ContractViolation) -> Void
    ) throws(ContractViolation) {
        guard json.take("[") else { throw expected(expectation()) }
        guard !json.take("]") else { return }
        var index = 0
        repeat {
            guard index < limit else { throw violation("expected at most \(limit) elements, found more") }
            path.append(.index(index))
            try passing(element)
            path.removeLast()
            index += 1
        } while json.take(",")
        try parsing { json throws(InvalidJSON) in try json.end("]") }
    }

    /// Reads an object of a schema's fields into a value that has their defaults.
    mutating func fields<Root>(of schema: Schema<Root>, into root: inout Root) throws(ContractViolation) {
        var seen: UInt64 = 0
        try object(schema.expectation) { reader, name throws(ContractViolation) in
            guard let index = schema.index(of: name) else {
                if let expectation = schema.onlyMembers { throw reader.unknown(name, among: schema.names, expectation) }
                try reader.tolerating { reader throws(ContractViolation) in try reader.takeUnknown() }
                return
            }
            let field = schema.fields[index]
            seen |= 1 << UInt64(index)
            guard field.presence == .optional else { return try field.read(&reader, &root) }
            try reader.tolerating { reader throws(ContractViolation) in try field.read(&reader, &root) }
        }
        for (index, field) in schema.fields.enumerated() where seen & 1 << UInt64(index) == 0 {
            guard field.presence == .required || field.presence == .requiredByContract && rules == .contract else {
                continue
            }
            try pass(missing(field.name, field.expectation))
        }
    }

    // MARK: Members that the contract does not name

    /// Reads an item's fields; what the contract does not name in it or in its parts is gathered for `extra`.
    mutating func item(
        _ read: (inout ContractReader) throws(ContractViolation) -> Void
    ) throws(ContractViolation) -> JSONText? {
        let outer = (unknownMembers, itemDepth)
        (unknownMembers, itemDepth) = ("", path.count)
        defer { (unknownMembers, itemDepth) = outer }
        try read(&self)
        return unknownMembers.isEmpty ? nil : JSONText(validated: "{\(unknownMembers)}")
    }

    /// Gathers the members of an item's own `extra`.
    mutating func takeExtra() throws(ContractViolation) {
        if try takeAbsent("an object") { return }
        try object { reader, name throws(ContractViolation) in try reader.gather(as: name) }
    }

    /// Gathers a member under its path below the item.
    private mutating func takeUnknown() throws(ContractViolation) {
        guard rules == .contract else { return try skip() }
        try gather(as: Array(path.dropFirst(itemDepth)).text)
    }

    private mutating func gather(as name: String) throws(ContractViolation) {
        let value = try rawValue()
        guard value != "null" else { return }
        if !unknownMembers.isEmpty { unknownMembers += "," }
        unknownMembers += JSONValue.text(name).compact + ":" + value
    }

    // MARK: Violations

    /// Reads a value; where it is against the contract, once more to its end, for what else is wrong with it.
    package mutating func readingAll<Value>(
        _ read: (inout ContractReader) throws(ContractViolation) -> Value
    ) throws(ContractViolation) -> Value {
        var again = self
        do throws(ContractViolation) { return try read(&self) } catch {
            throw again.withOthers(error, read)
        }
    }

    /// Reads a value, and leaves out of it what it can do without and is against the contract.
    ///
    /// - Throws: ``ContractViolation`` where it lacks what it needs, with what else is wrong.
    package mutating func leavingOutFaults<Value>(
        _ read: (inout ContractReader) throws(ContractViolation) -> Value
    ) throws(ContractViolation) -> (value: Value, faults: [ResultFault]) {
        var again = self
        faults = []
        defer { faults = nil }
        do throws(ContractViolation) {
            let value = try read(&self)
            return (value, faults ?? [])
        } catch {
            throw again.withOthers(error, read)
        }
    }

    /// The violation that ended a reading, with those that are found by reading on.
    private mutating func withOthers<Value>(
        _ violation: ContractViolation, _ read: (inout ContractReader) throws(ContractViolation) -> Value
    ) -> ContractViolation {
        var first = violation
        do throws(ContractViolation) {
            try passingViolations { reader throws(ContractViolation) in _ = try read(&reader) }
        } catch { first.others = error.otherKinds(than: first) }
        return first
    }

    /// Reads what the whole can do without; where it is against the contract and may be left out, passes over it and
    /// returns why.
    @discardableResult
    mutating func tolerating(
        _ loss: ResultFault.Loss = .value, _ read: (inout ContractReader) throws(ContractViolation) -> Void
    ) throws(ContractViolation) -> ContractViolation? {
        guard let before = faults else {
            try read(&self)
            return nil
        }
        let (start, depth) = (json, path.count)
        do throws(ContractViolation) {
            try read(&self)
            return nil
        } catch {
            try passOver(from: start, depth)
            // What was left out inside of it went with it.
            faults = before
            faults?.add(error, loss)
            return error
        }
    }

    /// Whether what is at fault is left out, and reading goes on.
    var leavesOutFaults: Bool { faults != nil }

    /// Notes a fault of a value that is kept.
    mutating func note(_ violation: ContractViolation, _ loss: ResultFault.Loss) { faults?.add(violation, loss) }

    /// Runs `read`, which goes on after a member or an element that is against the contract; then fails with all of them.
    package mutating func passingViolations(
        _ read: (inout ContractReader) throws(ContractViolation) -> Void
    ) throws(ContractViolation) {
        violations = ViolationList()
        defer { violations = nil }
        do throws(ContractViolation) { try read(&self) } catch { violations?.add(error) }
        try violations?.check()
    }

    /// Notes a violation where reading goes on after it, and fails with it where not.
    package mutating func pass(_ violation: ContractViolation) throws(ContractViolation) {
        guard violations != nil else { throw violation }
        violations?.add(violation)
    }

    /// Reads a value and passes over it where it is against the contract and reading goes on.
    private mutating func passing(
        _ read: (inout ContractReader) throws(ContractViolation) -> Void
    ) throws(ContractViolation) {
        guard violations != nil else { return try read(&self) }
        let (start, depth) = (json, path.count)
        do throws(ContractViolation) { try read(&self) } catch {
            violations?.add(error)
            try passOver(from: start, depth)
        }
    }

    /// Goes on behind the value that begins at `start`, so many steps down.
    private mutating func passOver(from start: JSONReader, _ depth: Int) throws(ContractViolation) {
        json = start
        path.removeLast(path.count - depth)
        try parsing { json throws(InvalidJSON) in try json.skipWithLoneSurrogates() }
    }

    /// "expected …, found …" at the current place.
    package mutating func expected(_ expectation: String) -> ContractViolation {
        violation("expected \(expectation), found \(found)")
    }

    /// A violation at the current place.
    package func violation(_ message: String) -> ContractViolation {
        ContractViolation(path: path.text, message: message)
    }

    /// The violation of a member that is not there.
    package func missing(_ name: String, _ expectation: String) -> ContractViolation {
        let place = path + [.field(name)]
        return ContractViolation(
            path: place.text, message: "expected \(expectation), found \(probe?(place) ?? "nothing")")
    }

    /// The violation of a member that the contract does not have here, with the one that was most likely meant.
    package func unknown(_ name: String, among names: [String], _ expectation: String) -> ContractViolation {
        violation("expected \(expectation), found \(name.quoted)\(Self.suggestion(for: name, among: names))")
    }

    /// `; did you mean limits?` where one of these names is near; nothing otherwise.
    package static func suggestion(for name: String, among names: [String]) -> String {
        name.nearest(among: names).map { "; did you mean \($0)?" } ?? ""
    }

    /// The value at the current place, as in an error message.
    private var found: String {
        mutating get {
            if let probe { return probe(path) }
            var json = json
            switch json.peek() {
            case UInt8(ascii: "{"): return "an object"
            case UInt8(ascii: "["): return "an array"
            default:
                let text = try? json.rawValue()  // invalid JSON is reported where it is read
                return text.map { $0.utf8.count > 80 ? "\($0.prefix(80))…" : $0 } ?? "no value"
            }
        }
    }

    // MARK: JSON

    /// Passes over null, which counts as absent; NaN and the like, which JSON turns into null, are violations.
    package mutating func takeAbsent(_ expectation: @autoclosure () -> String) throws(ContractViolation) -> Bool {
        guard peek() == UInt8(ascii: "n") else { return false }
        if let probe {
            let found = probe(path)
            guard found == "null" || found == "undefined" else {
                throw violation("expected \(expectation()), found \(found)")
            }
        }
        try parsing { json throws(InvalidJSON) in try json.word("null") }
        return true
    }

    /// Reads with the JSON reader, whose errors become violations at the current place.
    mutating func parsing<Value>(
        _ read: (inout JSONReader) throws(InvalidJSON) -> Value
    ) throws(ContractViolation) -> Value {
        do throws(InvalidJSON) { return try read(&json) } catch {
            guard let digits = error.loneSurrogate else { throw violation("\(error)") }
            throw violation("expected whole characters, found a lone surrogate (\\u\(digits)); use toWellFormed()")
        }
    }
}
