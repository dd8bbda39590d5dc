import ImgScript

/// The inputs of one run, whatever they come from.
enum RunInputs: Sendable {
    case listing(ListingInputs, limit: Int)
    case listed(ListedInputs)
    case failed

    /// What came of a run.
    struct Result: Sendable {
        var wasStopped = false
        var error: (any Error)?
    }

    /// How many files there are at most; nil where that is not known.
    var expected: Int? {
        switch self {
        case .listing(_, let limit): limit
        case .listed(let inputs): inputs.count
        case .failed: nil
        }
    }

    /// The failures of providers.
    var failures: [any Error] { if case .listing(let inputs, _) = self { inputs.failures } else { [] } }

    /// Says which providers were not asked.
    func tellSkipped() { if case .listing(let inputs, _) = self { inputs.tellSkipped() } }

    /// Downloads what they stand for.
    func fetch(with downloader: Downloader) async -> Result {
        do {
            let summary =
                switch self {
                case .listing(let inputs, _): try await downloader.download(inputs)
                case .listed(let inputs): try await downloader.download(inputs)
                case .failed: try await downloader.retryFailed()
                }
            return Result(wasStopped: summary.wasStopped)
        } catch { return Result(wasStopped: true, error: error) }
    }

    /// Plans what they stand for.
    func plan(
        with downloader: Downloader, _ tell: (ImageEngine.PlannedFile, ImageEngine.SkippedFile?) throws -> Void
    ) async throws -> ImageEngine.DownloadSummary {
        switch self {
        case .listing(let inputs, _): try await downloader.plan(inputs, tell)
        case .listed(let inputs): try await downloader.plan(inputs, tell)
        case .failed: try await downloader.planFailed(tell)
        }
    }
}
