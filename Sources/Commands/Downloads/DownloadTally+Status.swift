import ImgScript

extension DownloadTally {
    /// Whether there is anything among the failures that may go better another time.
    var canRetry: Bool { !codes.subtracting([.input]).isEmpty }

    /// The exit code, when nothing else went wrong.
    var status: ExitStatus {
        guard failed > 0 else { return .success }
        guard finished + skipped == 0 else { return .someFailed }
        switch codes.count == 1 ? codes.first : nil {
        case .notFound: return .notFound
        case .auth: return .auth
        case .input, .template: return .usage
        default: return .failure
        }
    }
}
