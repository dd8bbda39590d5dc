import ProviderModel
import WorkerProtocol

/// Reads a script's result from its JSON text, checking as it goes.
///
/// The engine's own serialiser has run every getter, proxy and `toJSON` by then: what is read here is plain data that
/// no script can change any more. What JSON text cannot show (`undefined`, `NaN`, a function) is asked of `probe`,
/// which looks at the value itself, and only where it matters.
struct ContractReader {
    /// Describes the value at a path as the script gave it: “undefined”, “NaN”, “null”.
    typealias Probe = ([PathStep]) -> String

    /// A step down, which is made into a text only where somebody is told.
    private enum Step {
        /// A member by the place of its name.
        case member(at: Int)
        case element(Int)
    }

    let probe: Probe
    private let bytes: UnsafeBufferPointer<UInt8>
    /// Moved by the readers of values, too.
    var cursor: JSONCursor
    /// The containers around what is read.
    private var steps: [Step] = []
    /// Violations that reading goes on after; nil where the first one ends it.
    private var passed: ViolationList?
    /// The step to what is read itself: it is put with the others only where it turns out to be a container.
    private var last: Step?

    private init(_ bytes: UnsafeBufferPointer<UInt8>, probe: @escaping Probe) {
        self.bytes = bytes
        cursor = JSONCursor(bytes)
        self.probe = probe
    }

    /// Where the value that is read stands.
    var path: [PathStep] {
        (steps + [last].compactMap(\.self)).map { step in
            switch step {
            case .element(let index): .index(index)
            case .member(let place): .field(name(at: place))
            }
        }
    }

    /// The next byte; nil at the end.
    var peek: UInt8? { cursor.peek }

    /// Bytes of the whole text.
    var length: Int { bytes.count }

    /// How many steps down that is.
    var depth: Int { steps.count + (last == nil ? 0 : 1) }

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
        try members(expectation) { reader, place throws(ContractViolation) in
            let name = reader.name(at: place)
            try reader.passing { reader throws(ContractViolation) in try member(&reader, name) }
        }
    }

    /// Reads an object's members by the contract's fields; nil stands for a name that it does not have.
    @inline(__always)
    mutating func fields<Field: TabledField>(
        of _: Field.Type, _ expectation: String,
        _ member: (inout ContractReader, Field?) throws(ContractViolation) -> Void
    ) throws(ContractViolation) {
        let depth = depth
        try members(expectation) { reader, place throws(ContractViolation) in
            let end = reader.cursor.position - 2
            let name = UnsafeBufferPointer(rebasing: reader.bytes[place + 1..<end])
            do throws(ContractViolation) { try member(&reader, Field.names.value(named: name)) } catch {
                try reader.pass(error, of: .member(at: place), from: end + 2, depth)
            }
        }
    }

    /// Reads an object's members with their names in UTF-8.
    mutating func namedMembers(
        _ expectation: String,
        _ member: (inout ContractReader, UnsafeBufferPointer<UInt8>) throws(ContractViolation) -> Void
    ) throws(ContractViolation) {
        try members(expectation) { reader, place throws(ContractViolation) in
            var cursor = JSONCursor(reader.bytes, at: place)
            if let name = cursor.plainString() { return try member(&reader, name) }
            let name = Array(reader.name(at: place).utf8)
            let result: Result<Void, ContractViolation> = name.withUnsafeBufferPointer { name in
                do throws(ContractViolation) { return .success(try member(&reader, name)) } catch {
                    return .failure(error)
                }
            }
            try result.get()
        }
    }

    /// Reads an object's members with their names as JSON.
    mutating func rawMembers(
        _ member: (inout ContractReader, UnsafeBufferPointer<UInt8>) throws(ContractViolation) -> Void
    ) throws(ContractViolation) {
        try members("an object") { reader, place throws(ContractViolation) in
            let end = reader.cursor.position - 1
            try member(&reader, UnsafeBufferPointer(rebasing: reader.bytes[place..<end]))
        }
    }

    /// Reads an object's members; `member` is told where the name's quotation mark stands, and begins behind the colon.
    ///
    /// Inlined, so that the reader of a field is not called through two closures.
    @inline(__always)
    private mutating func members(
        _ expectation: String, _ member: (inout ContractReader, Int) throws(ContractViolation) -> Void
    ) throws(ContractViolation) {
        guard take("{") else { throw expected(expectation) }
        guard !take("}") else { return }
        let outer = enter()
        repeat {
            last = nil
            let place = cursor.position
            try skipString()
            _ = take(":")
            last = .member(at: place)
            try member(&self, place)
        } while take(",")
        _ = take("}")
        leave(to: outer)
    }

    /// Reads an array's elements; `element` has to read or skip each.
    mutating func array(
        _ expectation: String = "an array", atMost limit: Int = .max,
        _ element: (inout ContractReader) throws(ContractViolation) -> Void
    ) throws(ContractViolation) {
        guard take("[") else { throw expected(expectation) }
        guard !take("]") else { return }
        let outer = enter()
        var index = 0
        repeat {
            guard index < limit else {
                leave(to: outer)
                throw violation("expected at most \(limit) elements, found more")
            }
            last = .element(index)
            try element(&self)
            index += 1
        } while take(",")
        _ = take("]")
        leave(to: outer)
    }

    /// Reads an array as `array` does; an element against the contract ends the reading only where any does.
    mutating func list(
        _ expectation: String = "an array", atMost limit: Int = .max,
        _ element: (inout ContractReader) throws(ContractViolation) -> Void
    ) throws(ContractViolation) {
        try array(expectation, atMost: limit) { reader throws(ContractViolation) in try reader.passing(element) }
    }

    /// Goes into a container, and returns the step to it.
    private mutating func enter() -> Step? {
        defer { last = nil }
        if let last { steps.append(last) }
        return last
    }

    private mutating func leave(to outer: Step?) {
        if outer != nil { steps.removeLast() }
        last = outer
    }

    /// Passes over null, which counts as absent; NaN and the like, which JSON turns into null, are violations.
    mutating func takeAbsent(_ expectation: @autoclosure () -> String) throws(ContractViolation) -> Bool {
        guard peek == UInt8(ascii: "n") else { return false }
        let found = probe(path)
        guard found == "null" || found == "undefined" else {
            throw violation("expected \(expectation()), found \(found)")
        }
        cursor.position += 4
        return true
    }

    private mutating func take(_ character: Unicode.Scalar) -> Bool { cursor.take(character) }

    /// Passes over a string; a lone surrogate in it is a violation all the same.
    private mutating func skipString() throws(ContractViolation) {
        if cursor.plainString() == nil { _ = try rawString() }
    }

    /// The name whose quotation mark stands at a place that has been passed.
    private func name(at place: Int) -> String {
        var cursor = JSONCursor(bytes, at: place)
        return (try? cursor.string()) ?? ""  // it has been read before
    }

    // MARK: Violations

    /// Reads to the end in spite of violations, and fails with all of them.
    mutating func passingViolations(
        _ read: (inout ContractReader) throws(ContractViolation) -> Void
    ) throws(ContractViolation) {
        passed = ViolationList()
        try passing(read)
        defer { passed = nil }
        try checkPassed()
    }

    /// Fails with the violations that reading went on after, where there are any.
    func checkPassed() throws(ContractViolation) { try passed?.check() }

    /// Reads a value; one against the contract is passed over, where reading goes on.
    private mutating func passing(
        _ read: (inout ContractReader) throws(ContractViolation) -> Void
    ) throws(ContractViolation) {
        guard passed != nil else { return try read(&self) }
        let (start, outer, depth) = (cursor.position, last, steps.count)
        do throws(ContractViolation) { try read(&self) } catch { try pass(error, of: outer, from: start, depth) }
    }

    /// Passes over a value against the contract, where reading goes on after it.
    private mutating func pass(
        _ violation: ContractViolation, of step: Step?, from start: Int, _ depth: Int
    ) throws(ContractViolation) {
        try pass(violation)
        (cursor.position, last) = (start, step)
        steps.removeLast(steps.count - depth)
        cursor.skipUnread()
    }

    /// Notes a violation where reading goes on after it, and fails with it where not.
    mutating func pass(_ violation: ContractViolation) throws(ContractViolation) {
        guard passed != nil else { throw violation }
        passed?.add(violation)
    }
}
