import ProviderModel

/// The failures with which a run is given up: a number of files, or a share of those that were tried.
public struct FailureLimit: Hashable, Sendable, CustomStringConvertible {
    private enum Amount: Hashable, Sendable {
        case files(Int)
        case percent(Double)
    }

    private let amount: Amount
    /// `5%` or `100`, as it was written.
    public let description: String

    /// The number of files from which on a share says something while a run goes on.
    private static let minimum = 100

    /// Parses a limit.
    ///
    /// - Parameter text: a number of files such as `100`, or a share such as `5%`.
    /// - Throws: ``DownloadError`` with the code `option` for another text.
    public init(_ text: String) throws(DownloadError) {
        if text.hasSuffix("%"), let share = Double(text.dropLast()), (0...100).contains(share) {
            amount = .percent(share)
        } else if let count = Int(text), count >= 0 {
            amount = .files(count)
        } else {
            throw DownloadError(
                .option, "invalid limit of failures \(text.quoted) (expected a number of files such as 100, or 5%)")
        }
        description = text
    }

    /// Whether more files failed than may.
    ///
    /// - Parameters:
    ///   - tally: the totals so far; dead links of earlier runs are among the failures.
    ///   - isAtEnd: whether no more files come: before that, a share of few files says nothing.
    /// - Returns: whether the run is to be given up.
    public func isExceeded(by tally: DownloadTally, isAtEnd: Bool) -> Bool {
        let failed = tally.failed + tally.failedBefore
        switch amount {
        case .files(let limit): return failed > limit
        case .percent(let limit):
            guard isAtEnd || tally.done >= Self.minimum else { return false }
            return Double(failed) * 100 > limit * Double(tally.done)
        }
    }

    /// The error of a run that is given up.
    func failure(_ tally: DownloadTally) -> DownloadError {
        DownloadError(
            .tooManyFailures,
            "too many downloads failed: \(tally.failed + tally.failedBefore) of \(tally.done) (expected at most \(self))"
        )
    }
}
