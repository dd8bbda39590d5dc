import ProviderModel
import TestSupport
import WorkerProtocol

/// Messages of all kinds with values that no test would think of.
struct RandomMessages {
    private var values: RandomValues

    init(seed: UInt64) { values = RandomValues(seed: seed) }

    mutating func hostMessage() -> HostMessage {
        switch values.number(0...6) {
        case 0:
            var limits = WorkerLimits()
            limits.items = values.number(-5...Int.max)
            return .load(file: values.text(), source: values.text(), limits: limits)
        case 1: return .module(.source(file: values.text(), text: values.text()))
        case 2: return .module(.missing(values.text()))
        case 3: return .call(run: values.number(Int.min...Int.max), operationCall())
        case 4: return .responses(run: values.number(0...9), values.list { $0.response() })
        case 5: return .responses(run: 0, [])
        default: return .abandon(run: values.number(0...9))
        }
    }

    mutating func workerMessage() -> WorkerMessage {
        switch values.number(0...9) {
        case 0: return .ready(WorkerStatus(sandbox: values.list { $0.text() }))
        case 1: return .loaded(values.manifest())
        case 2: return .moduleNeeded(specifier: values.text(), from: values.text())
        case 3: return .requests(values.list { $0.request() })
        case 4: return .finished(.page(page()))
        case 5: return .finished(.item(values.item()))
        case 6: return .finished(.download(values.maybe { $0.media() }))
        case 7:
            return .finished(
                .session(SessionResult(values: values.list { $0.pair() }, expiresIn: values.maybe { $0.number(0...9) })))
        case 8: return .failed(values.error())
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

    private mutating func page() -> Page {
        let next: [Page.Next] = [.counted, .end, .cursor(JSONText(validated: "[1]"))]
        return Page(items: values.list { $0.item() }, total: values.maybe { $0.number(0...Int.max) }, next: next[values.number(0...2)])
    }
}
