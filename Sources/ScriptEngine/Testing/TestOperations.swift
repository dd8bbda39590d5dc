import CJavaScriptCore
import ProviderModel
import WorkerProtocol

/// What a running test may do with its provider: run an operation to its end, and match a page URL.
///
/// A script cannot wait, so these do: requests go to the host, and the thread blocks until it has answered.
final class TestOperations {
    /// The most questions of one test.
    static let questionLimit = 1_000

    /// A limit that was passed in an operation, which ends the test.
    private(set) var fault: ProviderError?
    private let script: ProviderScript
    private let limits: WorkerLimits
    private let instance: WebURL?
    private let ask: TestSession.Ask
    private var questions = 0
    private var isRunning = false

    init(script: ProviderScript, limits: WorkerLimits, instance: WebURL?, ask: @escaping TestSession.Ask) {
        self.script = script
        self.limits = limits
        self.instance = instance
        self.ask = ask
    }

    /// Begins another test.
    func begin() { (fault, questions, isRunning) = (nil, 0, false) }

    /// What the prelude calls.
    var functions: [(String, NativeFunction.Body)] {
        [
            (
                "operate",
                { [unowned self] arguments throws(NativeError) in
                    guard arguments.count == 3, let name = runtime.string(arguments[0]),
                        let operation = ProviderOperation(rawValue: name)
                    else { throw .message("run: unknown operation") }
                    let call = try call(operation, arguments[1])
                    let cassettes = try strings(arguments[2])
                    return try value(of: outcome(of: call, from: cassettes))
                }
            ),
            (
                "match",
                { [unowned self] arguments throws(NativeError) in
                    let answer = try question(.match(runtime.string(arguments.first) ?? ""))
                    guard case .item(let item?) = answer else { return runtime.null }
                    return try value(fromJSON: item.contractJSON.description)
                }
            ),
        ]
    }

    private var runtime: ScriptRuntime { script.environment.runtime }

    // MARK: Arguments

    private func call(_ operation: ProviderOperation, _ values: JSValueRef) throws(NativeError) -> OperationCall {
        let arguments = TestArguments(operation: operation, manifest: script.manifest, instance: instance)
        do throws(ScriptFault) {
            return try script.environment.read(values) { reader throws(ContractViolation) in try arguments.call(&reader)
            }
        } catch {
            switch error {
            case .violation(let violation):
                // The first step of the path is the argument's number.
                let path = violation.path.drop { $0 != "]" }.dropFirst().drop { $0 == "." }
                throw .message("run.\(operation): \(path.isEmpty ? "" : "\(path): ")\(violation.message)")
            case .interruption(.thrown(let thrown)): throw .value(thrown)
            case .interruption(.timeLimit): throw .message("run.\(operation): ran too long")
            }
        }
    }

    private func strings(_ value: JSValueRef) throws(NativeError) -> [String] {
        do throws(ScriptFault) {
            return try script.environment.read(value) { reader throws(ContractViolation) in try reader.strings() }
        } catch {
            throw .message("cassette: expected names")
        }
    }

    // MARK: Running

    private func outcome(
        of call: OperationCall, from cassettes: [String]
    ) throws(NativeError) -> Result<EncodedResult, ProviderError> {
        guard !isRunning else { throw .message("run is for tests and cannot be called by a provider") }
        isRunning = true
        defer { isRunning = false }
        let run = OperationRun(call, of: script, limits: limits)
        var step = result { () throws(ProviderError) in try run.start() }
        while true {
            switch step {
            case .failure(let error):
                if error.code == .timeout || error.code == .memory { fault = error }
                return .failure(error)
            case .success(.finished(let result)):
                // Written again: as the host reads it, with URLs in their normal form and unknown fields in `extra`.
                return .success(EncodedResult(result.result))
            case .success(.requests(let requests)):
                switch try question(.requests(requests, of: call.operation, cassettes: cassettes)) {
                case .responses(let responses):
                    step = result { () throws(ProviderError) in try run.resume(with: responses) }
                case .refused(let error): return .failure(error)
                case .item: throw .message("run: the host sent another answer than requested")
                }
            }
        }
    }

    private func result(_ step: () throws(ProviderError) -> OperationRun.Step) -> Result<
        OperationRun.Step, ProviderError
    > {
        do throws(ProviderError) { return .success(try step()) } catch { return .failure(error) }
    }

    private func question(_ question: TestQuestion) throws(NativeError) -> TestAnswer {
        questions += 1
        guard questions <= Self.questionLimit else {
            throw .message("run: a test may make at most \(Self.questionLimit) calls")
        }
        return try ask(question)
    }

    // MARK: Results

    private func value(of outcome: Result<EncodedResult, ProviderError>) throws(NativeError) -> JSValueRef {
        var json = JSONWriter()
        json.object { json in
            switch outcome {
            case .success(let result):
                json.name("result")
                json.value(JSONText(validated: String(decoding: result.json, as: UTF8.self)))
            case .failure(var error):
                error.provider = script.manifest.id.description
                json.name("fault")
                error.write(to: &json)
            }
        }
        return try value(fromJSON: json.text)
    }

    private func value(fromJSON text: String) throws(NativeError) -> JSValueRef {
        guard let value = runtime.value(fromJSON: ScriptText(text)) else {
            throw .message("run: the result cannot be passed to the test")
        }
        return value
    }
}

extension ProviderError {
    /// The error as a script can look at it.
    fileprivate func write(to json: inout JSONWriter) {
        json.object { json in
            json.member("kind", code.rawValue)
            json.member("message", message)
            json.member("path", path)
            json.member("operation", operation?.rawValue)
            json.member("place", location?.description)
            json.member("description", description)
        }
    }
}
