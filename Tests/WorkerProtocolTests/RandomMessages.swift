import ProviderModel
import TestSupport
import WorkerProtocol

/// Messages of all kinds with values that no test would think of.
struct RandomMessages {
    private var values: RandomValues

    init(seed: UInt64) { values = RandomValues(seed: seed) }

    mutating func hostMessage() -> HostMessage {
        switch values.number(0...13) {
        case 0:
            var limits = WorkerLimits()
            limits.items = values.number(-5...Int.max)
            return .load(file: values.text(), source: values.text(), limits: limits)
        case 1: return .module(.source(file: values.text(), text: values.text()))
        case 2: return .module(.missing(values.text()))
        case 3: return .call(run: values.number(Int.min...Int.max), EncodedCall(operationCall()))
        case 4: return .responses(run: values.number(0...9), values.list { $0.response() })
        case 5: return .responses(run: 0, [])
        case 6: return .loadTests(testFile())
        case 7: return .runTest(values.number(-1...Int.max))
        case 8: return .answer(.responses(values.list { $0.response() }))
        case 9: return .answer(.refused(values.error()))
        case 10: return .answer(.item(values.maybe { $0.item() }))
        case 11: return .cover(parser: values.text())
        case 12: return .reportCoverage
        default: return .abandon(run: values.number(0...9))
        }
    }

    mutating func workerMessage() -> WorkerMessage {
        switch values.number(0...14) {
        case 0: return .ready(WorkerStatus(sandbox: values.list { $0.text() }))
        case 1: return .loaded(values.manifest())
        case 2: return .moduleNeeded(specifier: values.text(), from: values.text())
        case 3: return .requests(values.list { $0.request() })
        case 4:
            let faults = values.list { values in
                ResultFault(loss: .item, path: "items[\(values.number(0...9))]", message: "odd", count: 7)
            }
            return .finished(EncodedResult(.page(page()), without: faults))
        case 5: return .finished(EncodedResult(.item(values.item())))
        case 6: return .finished(EncodedResult(.download(values.maybe { $0.media() })))
        case 7:
            let session = SessionResult(
                values: values.list { $0.pair() }, expiresIn: values.maybe { $0.number(1...9) })
            return .finished(EncodedResult(.session(session)))
        case 8: return .failed(values.error())
        case 9: return .testsFound(values.list { Self.test(&$0) })
        case 10:
            let requests = values.list { $0.request() }
            return .asked(.requests(requests, of: .collection, cassettes: values.list { $0.text() }))
        case 11: return .asked(.match(values.text()))
        case 12: return .tested(outcome())
        case 13: return .covered(values.list { Self.coverage(&$0) })
        default: return .log(level: .warning, text: values.text())
        }
    }

    private mutating func operationCall() -> OperationCall {
        switch values.number(0...5) {
        case 0: .search(values.query())
        case 1: .feed(values.query())
        case 2: .details(values.item())
        case 3: .collection(values.item(), values.query())
        case 4: .download(values.media(), values.item())
        default: .session(instance: values.maybe { $0.url() })
        }
    }

    private mutating func testFile() -> TestFileSource {
        var file = TestFileSource(file: values.text(), text: values.text())
        file.snapshots = values.list { $0.pair() }
        file.updatesSnapshots = values.number(0...1) == 1
        file.instance = values.maybe { $0.url() }
        return file
    }

    private static func test(_ values: inout RandomValues) -> TestDescription {
        TestDescription(
            groups: values.list { $0.text() }, name: values.text(), mark: .only,
            location: SourceLocation(file: values.text(), line: values.number(0...99), column: 1))
    }

    private static func coverage(_ values: inout RandomValues) -> FileCoverage {
        var coverage = FileCoverage(file: values.text())
        coverage.lines = values.list { FileCoverage.Line(number: $0.number(0...Int.max), count: $0.number(0...9)) }
        coverage.functions = values.list { FileCoverage.Function(name: $0.text(), line: $0.number(0...9), count: 0) }
        coverage.branches = values.list { FileCoverage.Branch(line: $0.number(0...9), condition: 1, count: 2) }
        coverage.trouble = values.maybe { $0.text() }
        return coverage
    }

    private mutating func outcome() -> TestOutcome {
        var failure = TestFailure(values.text(), location: SourceLocation(file: values.text()), code: .rate)
        failure.expected = values.maybe { $0.text() }
        failure.received = values.maybe { $0.text() }
        var outcome = TestOutcome(failure: values.number(0...1) == 1 ? failure : nil)
        outcome.snapshots = values.list { TestOutcome.Snapshot(name: $0.text(), json: $0.text(), state: .added) }
        outcome.expectations = values.number(0...99)
        return outcome
    }

    mutating func page() -> Page {
        let next: [Page.Next] = [.counted, .end, .cursor(JSONText(validated: "[1]"))]
        return Page(
            items: values.list { $0.item() }, total: values.maybe { $0.number(0...(1 << 52)) },
            next: next[values.number(0...2)])
    }
}
