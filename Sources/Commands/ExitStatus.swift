import ImgScript
import Packs

/// What the process's exit code says, as the man page has it.
enum ExitStatus: Int32, Error {
    case success = 0
    /// Every provider failed, or the command could not do what it is for.
    case failure = 1
    /// Some providers failed; the results of the others were printed.
    case someFailed = 2
    case notFound = 4
    /// A key is missing or was refused.
    case auth = 5
    /// EX_USAGE of sysexits.h, as the argument parser has it.
    case usage = 64
    /// 128 and the number of SIGINT, as shells have it.
    case interrupted = 130

    /// The status of a command that an error ended.
    init(_ error: any Error) {
        if let error = error as? PackError {
            self = error.status
            return
        }
        if let failure = error as? DownloadError {
            self = ExitStatus(failure)
            return
        }
        guard let error = error as? ProviderError else {
            self = error is InvalidURL || error is DownloadWish.Slip ? .usage : .failure
            return
        }
        switch error.code {
        case .auth: self = .auth
        case .notFound: self = .notFound
        case .unsupported, .provider: self = .usage
        default: self = .failure
        }
    }

    /// The status of a download that one failure ended.
    init(_ failure: DownloadError) {
        switch failure.code {
        case .option, .template, .input: self = .usage
        case .notFound: self = .notFound
        case .auth: self = .auth
        default: self = .failure
        }
    }

    /// The status of a listing over `count` providers, of which these failed.
    init(failures: [any Error], of count: Int) {
        guard let first = failures.first else {
            self = .success
            return
        }
        guard failures.count == count else {
            self = .someFailed
            return
        }
        let statuses = Set(failures.map { ExitStatus($0) })
        self = statuses.count == 1 ? ExitStatus(first) : .failure
    }
}
