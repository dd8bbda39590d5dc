extension ContractReader {
    /// Reads a value; where it is against the contract, once more to its end, for what else is wrong with it.
    mutating func readingAll<Value>(
        _ read: (inout ContractReader) throws(ContractViolation) -> Value
    ) throws(ContractViolation) -> Value {
        var again = self
        do throws(ContractViolation) { return try read(&self) } catch {
            var first = error
            do throws(ContractViolation) {
                try again.passingViolations { reader throws(ContractViolation) in _ = try read(&reader) }
            } catch { first.others = error.otherKinds(than: first) }
            throw first
        }
    }

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

    func violation(_ surrogate: JSONCursor.LoneSurrogate) -> ContractViolation {
        violation(
            "expected whole characters, found a lone surrogate (\\u\(surrogate.digits)); use toWellFormed()")
    }
}
