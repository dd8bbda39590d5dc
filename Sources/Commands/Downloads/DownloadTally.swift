import ImgScript

/// What has come of downloads so far: counts, speed, reasons.
struct DownloadTally: Sendable {
    /// Failures of one kind.
    struct Reason: Sendable {
        var text: String
        var count = 0
        /// The first few it happened to.
        var examples: [String] = []
    }

    private(set) var finished = 0
    private(set) var skipped = 0
    private(set) var failed = 0
    /// Bytes of finished files.
    private(set) var bytes = 0
    private(set) var reasons: [Reason] = []
    private(set) var codes: Set<ImageEngine.DownloadFailure.Code> = []
    /// How many there are in all, as far as that is known.
    var expected: Int?

    /// Whether there is anything among the failures that may go better another time.
    var canRetry: Bool { !codes.subtracting([.input]).isEmpty }

    var done: Int { finished + skipped + failed }

    /// Takes in what happened.
    mutating func add(_ event: ImageEngine.DownloadEvent) {
        switch event {
        case .started: break
        case .finished(let file):
            finished += 1
            bytes += file.bytes
        case .skipped: skipped += 1
        case .failed(let failure): add(failure)
        case .inputEnded(let count): expected = count
        }
    }

    private mutating func add(_ failure: ImageEngine.DownloadFailure) {
        failed += 1
        codes.insert(failure.code)
        let place = reasons.firstIndex { $0.text == failure.reason } ?? reasons.endIndex
        if place == reasons.endIndex { reasons.append(Reason(text: failure.reason)) }
        reasons[place].count += 1
        if reasons[place].examples.count < 3, let subject = failure.subject ?? failure.place {
            reasons[place].examples.append(subject)
        }
    }

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
