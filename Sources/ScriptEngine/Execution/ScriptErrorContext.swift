import ProviderModel
import WorkerProtocol

/// The position of an error: turns what ended a script into a `ProviderError`.
struct ScriptErrorContext {
    let environment: ScriptEnvironment
    var operation: ProviderOperation?
    var phase: String?
    /// Used when the fault has no place of its own.
    var location: SourceLocation

    /// The error of a fault.
    func error(_ fault: ScriptFault) -> ProviderError {
        switch fault {
        case .violation(let violation):
            var first = error(violation)
            first.others = violation.others.map(error)
            return first
        case .interruption(.timeLimit(let stack)):
            let place = stack.flatMap { stack in
                operation == nil
                    ? environment.modules.location(ofLoopIn: stack)
                    : environment.modules.location(innermostIn: stack)
            }
            return error(.time(milliseconds: environment.timeLimit), location: place ?? location)
        case .interruption(.thrown(let reference)):
            let thrown: ThrownValue
            do throws(ScriptRuntime.Interruption) {
                thrown = try environment.prelude.description(ofThrown: reference.value)
            } catch {
                if case .timeLimit = error { return self.error(.interruption(error)) }
                // Describing runs none of the script's code: it fails only where the memory is used up.
                return self.error(.memory(megabytes: environment.memory >> 20), location: location)
            }
            let place = environment.modules.location(innermostIn: thrown.stack) ?? location
            if thrown.kind == .memory { return error(.memory(megabytes: environment.memory >> 20), location: place) }
            return error(thrown.kind ?? .script, message: thrown.message, location: place)
        }
    }

    private func error(_ violation: ContractViolation) -> ProviderError {
        error(
            .result, path: violation.path.isEmpty ? nil : violation.path, message: violation.message, location: location
        )
    }

    private func error(_ limit: ScriptLimit, location: SourceLocation) -> ProviderError {
        error(limit.code, message: limit.message, location: location)
    }

    /// The error of an HTTP status; where the server is at fault, no place in the script is.
    func error(_ status: StatusError) -> ProviderError {
        var error = error(status.code, message: status.message)
        if status.isServerFault { (error.phase, error.location) = (nil, nil) }
        return error
    }

    /// An error that the host found at this position.
    func error(
        _ code: ProviderError.Code, path: String? = nil, message: String, location: SourceLocation? = nil
    ) -> ProviderError {
        ProviderError(
            code, provider: "", operation: operation, phase: phase, location: location ?? self.location, path: path,
            message: message)
    }
}

/// A value that a script threw, as described by the prelude.
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
