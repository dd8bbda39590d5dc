import ImgScript

/// The inputs of one run, whatever they come from.
enum RunInputs: Sendable {
    case listing(ListingInputs, limit: Int)
    case listed(ListedInputs, SearchOptions)
    case failed

    /// How many files there are at most; nil where that is not known.
    var expected: Int? {
        switch self {
        case .listing(_, let limit): limit
        case .listed(let inputs, _): inputs.count
        case .failed: nil
        }
    }

    /// The failures of providers.
    var failures: [any Error] { if case .listing(let inputs, _) = self { inputs.failures } else { [] } }

    /// Says which providers were not asked.
    func tellSkipped() { if case .listing(let inputs, _) = self { inputs.tellSkipped() } }

    /// The run over them.
    func run(in engine: ImageEngine, to directory: String, _ options: DownloadOptions) throws -> DownloadRun {
        switch self {
        case .listing(let inputs, _): try engine.download(inputs: inputs, to: directory, options: options)
        case .listed(let inputs, let collections):
            try engine.download(inputs: inputs, to: directory, options: options, collections: collections)
        case .failed: try engine.retryFailedDownloads(in: directory, options: options)
        }
    }
}
