import ProviderModel

/// A bound that a script ran into, with the same message whichever process noticed.
package enum ScriptLimit: Hashable, Sendable {
    /// It ran longer than so many milliseconds.
    case time(milliseconds: Int)
    /// It needed more than so many megabytes.
    case memory(megabytes: Int)

    /// What a worker exits with when its memory ran out.
    package static let memoryExitStatus: Int32 = 66
    /// What it exits with when its engine crashed while a script was being stopped for its time.
    package static let timeExitStatus: Int32 = 67

    /// What a caller may handle differently.
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
    /// What helps a script that a worker stopped at a limit; nil for other errors.
    package var limitHint: Hint? {
        switch self {
        case .timeout: .raiseTimeLimit
        case .memory: .raiseMemoryLimit
        default: nil
        }
    }
}
