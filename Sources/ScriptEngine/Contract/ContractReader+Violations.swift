extension ContractReader {
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
