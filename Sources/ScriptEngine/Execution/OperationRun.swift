import CJavaScriptCore
import ProviderModel
import WorkerProtocol

/// One operation from its arguments to its result, step by step: each step ends with requests for the host, or with the
/// result.
final class OperationRun {
    /// The end of a step.
    enum Step {
        case requests([ProviderRequest])
        case finished(EncodedResult)
    }

    private enum State {
        case started
        /// A pair whose request is on its way.
        case awaitingParse(ScriptFunction)
        /// A generator that waits at a `yield`.
        case suspended(iterator: JSObjectRef, next: JSObjectRef)
        case finished
    }

    private let script: ProviderScript
    private let call: OperationCall
    private let limits: WorkerLimits
    private let arguments: [JSValueRef]
    private var state = State.started
    private var requestCount = 0
    private var asked: (requests: [ProviderRequest], isBatch: Bool) = ([], false)
    private var kept: [JSValueRef] = []

    init(_ call: OperationCall, of script: ProviderScript, limits: WorkerLimits) {
        self.call = call
        self.script = script
        self.limits = limits
        arguments = OperationArguments(call, manifest: script.manifest).keptValues(in: script.environment.runtime)
        kept = arguments
    }

    deinit { for value in kept { runtime.release(value) } }

    /// Whether the script may still look at responses it has been given.
    var holdsResponses: Bool { if case .suspended = state { true } else { false } }

    private var environment: ScriptEnvironment { script.environment }
    private var runtime: ScriptRuntime { environment.runtime }

    /// Runs up to the first requests.
    func start() throws(ProviderError) -> Step {
        switch try script.form(of: call.operation) {
        case .pair(let request, let parse):
            var place = script.place(of: call.operation, phase: "request")
            place.location = request.location ?? place.location
            try ask(for: invoke(request.object, arguments.map(ScriptArgument.value), at: place), at: place)
            guard !asked.isBatch else {
                throw place.error(
                    .result, message: "expected one request, found an array; use a generator for several")
            }
            state = .awaitingParse(parse)
            return .requests(asked.requests)
        case .generator(let generator):
            let place = script.place(of: call.operation, phase: nil)
            let iterator = try invoke(generator.object, arguments.map(ScriptArgument.value), at: place)
            keep(iterator)
            guard runtime.isObject(iterator), case let next = try property("next", of: iterator, at: place),
                runtime.isFunction(next)
            else {
                let found = environment.describe(iterator)
                throw place.error(.result, message: "expected a generator (function*), found \(found)")
            }
            keep(next)
            return try advance(iterator, next, with: runtime.undefined)
        }
    }

    /// Goes on with the answers to the requests of the last step.
    func resume(with responses: [ProviderResponse]) throws(ProviderError) -> Step {
        switch state {
        case .awaitingParse(let parse):
            let place = script.place(of: call.operation, phase: "parse")
            let values = try answers(responses, at: place)
            state = .finished
            return .finished(
                try read(invoke(parse.object, (values + arguments).map(ScriptArgument.value), at: place), at: place))
        case .suspended(let iterator, let next):
            let values = try answers(responses, at: script.place(of: call.operation, phase: nil))
            return try advance(
                iterator, next, with: asked.isBatch ? runtime.array(count: values.count) { values[$0] } : values[0])
        case .started, .finished:
            throw script.place(of: call.operation, phase: nil).error(
                .worker, message: "got responses without a request")
        }
    }

    private func advance(
        _ iterator: JSObjectRef, _ next: JSObjectRef, with input: JSValueRef
    ) throws(ProviderError) -> Step {
        let place = script.place(of: call.operation, phase: nil)
        var input = input
        while true {
            let step = try invoke(next, this: iterator, [.value(input)], at: place)
            guard runtime.isObject(step), !environment.isPromise(step) else {
                let found = environment.describe(step)
                throw place.error(
                    .result, message: "expected a generator (function*), found one whose steps are \(found)")
            }
            let value = try property("value", of: step, at: place)
            if JSValueToBoolean(runtime.context, try property("done", of: step, at: place)) {
                state = .finished
                return .finished(try read(value, at: place))
            }
            try ask(for: value, at: place)
            guard asked.requests.isEmpty else { break }
            // A batch of none is answered here.
            input = runtime.array(count: 0) { _ in runtime.undefined }
        }
        state = .suspended(iterator: iterator, next: next)
        return .requests(asked.requests)
    }

    // MARK: Requests

    private func ask(for value: JSValueRef, at place: ScriptErrorContext) throws(ProviderError) {
        let base = call.instance(in: script.manifest) ?? script.manifest.base
        do throws(ScriptFault) {
            asked = try environment.read(value) { reader throws(ContractViolation) in try reader.requests(base: base) }
            try environment.checkNothingIsDropped(from: value)
        } catch {
            throw place.error(explained(error, of: value))
        }
        // A step without requests counts as one, so that the bound on requests bounds the steps too.
        requestCount += max(1, asked.requests.count)
        guard requestCount <= limits.requests else {
            throw place.error(.result, message: "more than \(limits.requests) requests in one operation")
        }
    }

    /// A promise is an object without a url: that it is one says what is wrong, also of the first in a batch.
    private func explained(_ fault: ScriptFault, of value: JSValueRef) -> ScriptFault {
        guard case .violation = fault else { return fault }
        // The first violation is reported whether or not the element can be read once more.
        let first = JSValueIsArray(runtime.context, value) ? try? environment.member("0", of: value) : nil
        guard environment.isPromise(first ?? value) else { return fault }
        return .violation(
            ContractViolation(
                path: first == nil ? "" : "[0]",
                message: "expected a request, found a promise; providers are synchronous: return the request itself, "
                    + "without async"))
    }

    private func answers(_ responses: [ProviderResponse], at place: ScriptErrorContext) throws(ProviderError)
        -> [JSValueRef]
    {
        guard responses.count == asked.requests.count else {
            throw place.error(
                .worker, message: "got \(responses.count) responses to \(asked.requests.count) requests")
        }
        var values: [JSValueRef] = []
        for (request, response) in zip(asked.requests, responses) {
            values.append(try self.response(response, to: request, at: place))
        }
        return values
    }

    /// The value that a script gets for a request, after `check` and the status were evaluated.
    private func response(
        _ response: ProviderResponse, to request: ProviderRequest, at place: ScriptErrorContext
    ) throws(ProviderError) -> JSValueRef {
        if let barrier = response.barrier(for: request) {
            throw place.error(StatusError(response, barrier: barrier))
        }
        let number = environment.responses.add(response)
        var headers = JSONWriter()
        headers.array(response.headers.flatMap { [$0.name, $0.value] }) { $0.value($1) }
        let value = try invoke(
            environment.prelude.response,
            [
                .number(Double(number)), .number(Double(response.status)), .text(response.url.description),
                .text(headers.text),
            ], at: place)
        keep(value)
        if let check = script.check {
            var checkPlace = place
            checkPlace.phase = "check"
            checkPlace.location = check.location ?? place.location
            do throws(ProviderError) { _ = try invoke(check.object, [.value(value)], at: checkPlace) } catch {
                throw refusal(error, of: request)
            }
        }
        let isAnswer = (200..<300).contains(response.status) || request.allowedStatus.contains(response.status)
        guard isAnswer else {
            throw refusal(place.error(StatusError(response)), of: request)
        }
        return value
    }

    /// The error of a response; no key was refused where none belongs to the request.
    private func refusal(_ error: ProviderError, of request: ProviderRequest) -> ProviderError {
        let takesKey = request.usesCredentials && !script.manifest.authentication.isEmpty
        guard error.code == .auth, !takesKey else { return error }
        var error = error
        error.code = .blocked
        return error
    }

    // MARK: The engine

    private func read(_ value: JSValueRef, at place: ScriptErrorContext) throws(ProviderError) -> EncodedResult {
        do throws(ScriptFault) {
            return try OperationResultReader(call: call, environment: environment, limits: limits).result(from: value)
        } catch {
            throw place.error(error)
        }
    }

    private func invoke(
        _ function: JSObjectRef, this: JSObjectRef? = nil, _ arguments: [ScriptArgument], at place: ScriptErrorContext
    ) throws(ProviderError) -> JSValueRef {
        do throws(ScriptRuntime.Interruption) {
            return try runtime.call(function, this: this, arguments)
        } catch {
            throw place.error(.interruption(error))
        }
    }

    private func property(
        _ name: String, of object: JSObjectRef, at place: ScriptErrorContext
    ) throws(ProviderError) -> JSValueRef {
        do throws(ScriptRuntime.Interruption) { return try runtime.property(name, of: object) } catch {
            throw place.error(.interruption(error))
        }
    }

    /// Values on the heap are not seen by the collector: they are kept until the run is over.
    private func keep(_ value: JSValueRef) {
        runtime.keep(value)
        kept.append(value)
    }
}

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
