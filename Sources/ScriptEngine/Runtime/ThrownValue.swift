import ProviderModel

/// What a script threw, as the prelude describes it.
struct ThrownValue {
    /// Set when the script called `fail`.
    var kind: ProviderError.Code?
    /// The error's name and message.
    var message = "threw something that cannot be described"
    /// Its stack as the engine has it; empty when there is none.
    var stack = ""

    init(json: [UInt8]) {
        var thrown = self
        thrown =
            (try? ContractReader.read(json, probe: { _ in "null" }) { reader throws(ContractViolation) in
                var value = thrown
                try reader.object { reader, name throws(ContractViolation) in
                    switch name {
                    case "kind": value.kind = try reader.optionalString().flatMap(ProviderError.Code.init)
                    case "message": value.message = try reader.string()
                    case "stack": value.stack = try reader.string()
                    default: try reader.skip()
                    }
                }
                return value
            }) ?? thrown  // the prelude wrote the JSON; what it left out keeps its default
        self = thrown
    }
}

extension SourceLocation {
    /// Reads one line of a stack: `image@pixabay.js:41:9`.
    init?(frame: Substring) {
        let place = frame.split(separator: "@", omittingEmptySubsequences: false).last ?? frame
        let parts = place.split(separator: ":")
        guard parts.count == 3, !parts[0].isEmpty, let line = Int(parts[1]), let column = Int(parts[2]), line > 0,
            column >= 0
        else { return nil }
        self.init(file: String(parts[0]), line: line, column: column)
    }
}
