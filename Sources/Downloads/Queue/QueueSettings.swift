/// How a queue of downloads behaves.
package struct QueueSettings: Sendable {
    /// How many files are fetched at a time.
    package enum Jobs: Hashable, Sendable {
        /// So many.
        case fixed(Int)
        /// As many as turn out to be best, for each host.
        case automatic
    }

    /// What happens to content that is there already under another name.
    package enum Duplicates: String, Sendable, CaseIterable {
        /// Both are kept.
        case keep
        /// The second shares the blocks of the first.
        case link
        /// The second is not kept.
        case skip
    }

    /// How many files are fetched at a time.
    package var jobs = Jobs.automatic
    /// The most files fetched from one host at a time; nil for no limit of its own.
    package var jobsPerHost: Int?
    /// The most bytes a second of all together; nil for no limit.
    package var maximumRate: Int?
    /// What happens to content that is there already.
    package var duplicates = Duplicates.keep
    /// Stops after so many skipped files in a row; nil for never.
    package var stopsAfterSkips: Int?
    /// How often progress is told; nil for never.
    package var progressInterval: Duration?
    /// How long files that are nearly there may go on after a stop.
    package var grace = Duration.seconds(2)
    /// How single files are fetched.
    package var fetch = FetchSettings()

    /// The most files at a time with `.automatic`.
    package static let automaticLimit = 64

    /// The usual settings.
    package init() {}
}
