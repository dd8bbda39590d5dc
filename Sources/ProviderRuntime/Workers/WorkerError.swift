import Glibc
import ProviderModel
import WorkerProtocol

/// Why a worker sent no reply.
enum WorkerError: Error, Hashable {
    /// The executable could not be run.
    case notStarted(String, code: Int32)
    /// The sandbox could not be set up; nothing was run.
    case notSandboxed(String)
    /// It was started, and did not become ready in time.
    case notReady
    /// The step exceeded its deadline.
    case timedOut
    /// The script exceeded its memory limit.
    case outOfMemory
    /// The process ended.
    case exited(signal: Int32?)
    /// It sent an invalid or unexpected message.
    case protocolViolation(WireError)
    /// It sent more bytes than one step may.
    case byteLimit(bytes: Int)
    /// It sent more messages than one step may.
    case messageLimit(messages: Int)
    /// The parser for coverage does not run.
    case unusableParser(String)
    /// The responses exceed the maximum length of a message.
    case responsesTooLong(bytes: Int)

    /// The error of the provider whose script was running.
    func providerError(_ provider: String, file: String, settings: WorkerSettings) -> ProviderError {
        var error =
            switch self {
            case .timedOut:
                ProviderError(
                    .timeout, provider: provider,
                    message: ScriptLimit.time(milliseconds: settings.deadline.milliseconds).message,
                    // A worker reports the position of its script itself, before the host ends it.
                    hint: .several([
                        "look for a regular expression, a promise or a call that takes that long", .raiseTimeLimit,
                    ]))
            case .outOfMemory:
                ProviderError(
                    ScriptLimit.memory(megabytes: settings.memory).code, provider: provider,
                    message: ScriptLimit.memory(megabytes: settings.memory).message,
                    hint: .raiseMemoryLimit)
            case .notStarted(_, let code):
                ProviderError(.worker, provider: provider, message: message, hint: Self.hint(onStartFailing: code))
            case .notReady:
                ProviderError(
                    .worker, provider: provider, message: message,
                    hint: .several(["try again when the machine is less busy", .installWorker]))
            case .notSandboxed:
                ProviderError(
                    .worker, provider: provider, message: message,
                    hint: "use a kernel, or a container, that has seccomp filters (Linux 3.17 or later)")
            default: ProviderError(.worker, provider: provider, message: message)
            }
        error.location = SourceLocation(file: file)
        return error
    }

    /// A program that is there may still find no room to run.
    private static func hint(onStartFailing code: Int32) -> Hint {
        switch code {
        case EMFILE, ENFILE: "search fewer sources at once, or allow more open files"
        case EAGAIN, ENOMEM: "stop other programs, or allow more processes and memory"
        default: .installWorker
        }
    }

    private var message: String {
        switch self {
        case .notStarted(let executable, let code):
            "could not start the worker \(executable): \(String(cString: strerror(code)))"
        case .notSandboxed(let reason): "the worker refused to run a script without its sandbox: \(reason)"
        case .notReady: "the worker was not ready within \(WorkerSettings.startTimeout.inWords)"
        case .timedOut, .outOfMemory: "\(self)"
        case .exited(let signal?): "the script engine crashed (\(String(cString: strsignal(signal))))"
        case .exited(nil): "the worker ended unexpectedly"
        case .protocolViolation(let error): "the worker sent \(error)"
        case .byteLimit(let bytes): "the worker sent more than \(bytes >> 20) MB in one step"
        case .messageLimit(let messages): "the worker sent more than \(messages) messages in one step"
        case .unusableParser(let reason): "could not use the parser acorn for coverage: \(reason)"
        case .responsesTooLong(let bytes):
            "the responses of one step have \(bytes >> 20) MB, more than a worker accepts"
        }
    }
}
