import ProviderModel

/// A limit that a script exceeded, with the same message from either process.
package enum ScriptLimit: Hashable, Sendable {
    /// The maximum running time.
    case time(milliseconds: Int)
    /// The maximum memory.
    case memory(megabytes: Int)

    /// The exit status of a worker that ran out of memory.
    package static let memoryExitStatus: Int32 = 66
    /// The exit status of a worker whose engine crashed while a script was being stopped.
    package static let timeExitStatus: Int32 = 67

    /// The code of the error.
    package var code: ProviderError.Code {
        switch self {
        case .time: .timeout
        case .memory: .memory
        }
    }

    /// What the message ends with.
    package static let wasStopped = "and was stopped"

    /// "ran longer than 2 s and was stopped".
    package var message: String {
        switch self {
        case .time(let milliseconds):
            let isWhole = milliseconds.isMultiple(of: 1_000)
            return "ran longer than \(isWhole ? "\(milliseconds / 1_000) s" : "\(milliseconds) ms") \(Self.wasStopped)"
        case .memory(let megabytes): return "needed more than \(megabytes) MB \(Self.wasStopped)"
        }
    }

}

extension ProviderError.Code {
    /// The hint for a script that was stopped at a limit; nil for other errors.
    package var limitHint: Hint? {
        switch self {
        case .timeout: .raiseTimeLimit
        case .memory: .raiseMemoryLimit
        default: nil
        }
    }
}
