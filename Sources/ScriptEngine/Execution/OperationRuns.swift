import ProviderModel
import WorkerProtocol

/// The operations of one script that are under way, by the host's numbers.
struct OperationRuns {
    private let script: ProviderScript
    private let limits: WorkerLimits
    private var runs: [Int: OperationRun] = [:]

    init(script: ProviderScript, limits: WorkerLimits) {
        self.script = script
        self.limits = limits
    }

    /// The reply to a message as it goes on the pipe, or nil where there is none.
    mutating func reply(to message: HostMessage) -> [UInt8]? {
        defer { forgetResponses() }
        switch message {
        case .call(let number, let call):
            let run = OperationRun(call.call, of: script, limits: limits)
            runs[number] = run
            return reply(of: number) { () throws(ProviderError) in try run.start() }
        case .responses(let number, let responses):
            guard let run = runs[number] else {
                return failure("run \(number) is not running")
            }
            return reply(of: number) { () throws(ProviderError) in try run.resume(with: responses) }
        case .abandon(let number):
            runs[number] = nil
            return nil
        case .load, .module, .loadTests, .runTest, .answer, .cover, .reportCoverage:
            return failure("a message out of order")
        }
    }

    private func failure(_ message: String) -> [UInt8] {
        WorkerMessage.failed(ProviderError(.worker, provider: "", message: message)).frame
    }

    private mutating func reply(
        of number: Int, _ step: () throws(ProviderError) -> OperationRun.Step
    ) -> [UInt8] {
        do throws(ProviderError) {
            switch try step() {
            case .requests(let requests): return WorkerMessage.requests(requests).frame
            case .finished(let result):
                runs[number] = nil
                return WorkerMessage.finished(result).frame
            }
        } catch {
            runs[number] = nil
            return WorkerMessage.failed(error).frame
        }
    }

    /// Frees bodies and documents once no generator can look at them.
    private func forgetResponses() {
        guard !runs.values.contains(where: \.holdsResponses) else { return }
        script.environment.responses.removeAll()
        script.environment.documents.removeAll()
    }
}
