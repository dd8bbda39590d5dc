import ArgumentParser
import ImgScript
import Packs

/// The exit codes of the process, as in the man page.
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
        switch error {
        case let status as ExitStatus: self = status
        case let error as PackError: self = error.status
        case let failure as DownloadError: self = ExitStatus(failure)
        case let error as ProviderError: self = ExitStatus(error.code)
        case let error as WatchError where error.code == .notFound: self = .notFound
        case let error as WatchError where error.code == .exists: self = .usage
        case is ConfigurationError: self = .usage
        case let error as TerminalError: self = error.code == .noTerminal ? .usage : .failure
        case is InvalidURL, is ValidationError: self = .usage
        default: self = .failure
        }
    }

    private init(_ code: ProviderError.Code) {
        switch code {
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
        let statuses = Set(failures.map { ExitStatus($0) })
        switch failures.count {
        case 0: self = .success
        case count: self = statuses.count == 1 ? statuses.first ?? .failure : .failure
        default: self = .someFailed
        }
    }
}

extension PackError {
    /// The exit code of a command that this error ends.
    var status: ExitStatus {
        switch code {
        case .name, .version: .usage
        case .notInstalled: .notFound
        default: .failure
        }
    }
}

extension PackError {
    /// The message, after the subject where it does not name it itself.
    var fullMessage: String { subject.map { message.contains($0) } ?? true ? message : description }
}
