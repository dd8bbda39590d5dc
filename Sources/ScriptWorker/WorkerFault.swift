import Glibc
import ProviderModel
import WorkerProtocol

/// Why a worker gave no reply.
package enum WorkerFault: Error, Hashable {
    /// The executable could not be run.
    case notStarted(String, code: Int32)
    /// The sandbox could not be set up; nothing was run.
    case notSandboxed(String)
    /// The step took longer than the deadline.
    case deadline
    /// It needed more memory than it may have.
    case memory
    /// The process ended by itself.
    case ended(signal: Int32?)
    /// It sent something that is no message.
    case nonsense(WireError)
    /// It sent more than a step may send.
    case flood

    /// The fault as an error of the provider whose script was running.
    func error(provider: String, settings: WorkerSettings) -> ProviderError {
        var error = ProviderError(code, provider: provider, message: message(settings))
        error.advice = advice(settings)
        return error
    }

    private var code: ProviderError.Code {
        switch self {
        case .deadline: .timeout
        case .memory: .memory
        default: .worker
        }
    }

    private func message(_ settings: WorkerSettings) -> String {
        switch self {
        case .notStarted(let executable, let code):
            "the worker \(executable) could not be started: \(String(cString: strerror(code)))"
        case .notSandboxed(let reason): "the worker refuses to run a script without its sandbox: \(reason)"
        case .deadline: TimeLimitMessage(milliseconds: settings.deadline.milliseconds).description
        case .memory: "needed more than \(settings.memory) MB and was stopped"
        case .ended(let signal):
            signal.map { "the script's engine crashed (\(Self.name(ofSignal: $0)))" } ?? "the worker ended unexpectedly"
        case .nonsense(let error): "the worker sent \(error)"
        case .flood: "sent more than \(settings.replyBytes >> 20) MB at once and was stopped"
        }
    }

    private func advice(_ settings: WorkerSettings) -> String? {
        switch self {
        case .notStarted: "install imgscript-worker beside imgscript, or name it with IMGSCRIPT_WORKER"
        case .deadline: "--script-timeout gives scripts more time"
        case .memory: "--script-memory gives scripts more memory"
        default: nil
        }
    }

    private static func name(ofSignal signal: Int32) -> String {
        String(cString: strsignal(signal))
    }
}
