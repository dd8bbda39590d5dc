import ProviderModel
import WorkerProtocol

/// Reads what the prelude of tests says, which is JSON that a test file had its hands near: it is checked all the same.
struct TestOutcomeReader {
    let file: String
    let environment: ScriptEnvironment

    /// The tests of a file.
    func tests(_ json: [UInt8]) -> [TestDescription] {
        var tests: [TestDescription] = []
        read(json) { reader throws(ContractViolation) in
            try reader.array { reader throws(ContractViolation) in
                var test = TestDescription(name: "")
                try reader.object { reader, name throws(ContractViolation) in
                    switch name {
                    case "groups": test.groups = try reader.strings()
                    case "name": test.name = try reader.string()
                    case "mark": test.mark = try reader.choice(TestDescription.Mark.self)
                    case "stack": test.location = location(in: try reader.string())
                    default: try reader.skip()
                    }
                }
                tests.append(test)
            }
        }
        return tests
    }

    /// What came of a test.
    func outcome(_ json: [UInt8]) -> TestOutcome {
        var outcome = TestOutcome()
        let isRead = read(json) { reader throws(ContractViolation) in
            try reader.object { reader, name throws(ContractViolation) in
                switch name {
                case "failure": outcome.failure = try failure(&reader)
                case "expectations": outcome.expectations = Int(exactly: try reader.number().rounded()) ?? 0
                case "snapshots": outcome.snapshots = try snapshots(&reader)
                default: try reader.skip()
                }
            }
        }
        if !isRead {
            outcome.failure = TestFailure(
                "could not read the outcome of the test", location: SourceLocation(file: file))
        }
        return outcome
    }

    private func failure(_ reader: inout ContractReader) throws(ContractViolation) -> TestFailure? {
        if try reader.takeAbsent("a failure") { return nil }
        var failure = TestFailure("")
        try reader.object { reader, name throws(ContractViolation) in
            switch name {
            case "message": failure.message = try reader.string()
            case "stack": failure.location = location(in: try reader.string())
            case "expected": failure.expected = try reader.optionalString()
            case "received": failure.received = try reader.optionalString()
            case "kind": failure.code = try reader.optionalString().flatMap(ProviderError.Code.init)
            default: try reader.skip()
            }
        }
        if failure.code == .memory {
            failure.message = ScriptLimit.memory(megabytes: environment.memory >> 20).message
        }
        return failure
    }

    private func snapshots(_ reader: inout ContractReader) throws(ContractViolation) -> [TestOutcome.Snapshot] {
        var snapshots: [TestOutcome.Snapshot] = []
        try reader.array { reader throws(ContractViolation) in
            var snapshot = TestOutcome.Snapshot(name: "", json: "null", state: .matched)
            try reader.object { reader, name throws(ContractViolation) in
                switch name {
                case "name": snapshot.name = try reader.string()
                case "json": snapshot.json = try reader.string()
                case "state": snapshot.state = try reader.choice(TestOutcome.Snapshot.State.self)
                default: try reader.skip()
                }
            }
            snapshots.append(snapshot)
        }
        return snapshots
    }

    /// The line of the test file that led there, else the innermost of any file.
    private func location(in stack: String) -> SourceLocation? {
        environment.modules.location(innermostIn: stack, of: file) ?? environment.modules.location(innermostIn: stack)
    }

    @discardableResult
    private func read(
        _ json: [UInt8], _ body: (inout ContractReader) throws(ContractViolation) -> Void
    ) -> Bool {
        do throws(ContractViolation) {
            try ContractReader.read(json, probe: { _ in "null" }, body)
            return true
        } catch {
            return false
        }
    }
}
