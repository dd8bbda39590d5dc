/// What happens while files are downloaded, in the order in which it happens.
package enum DownloadEvent: Sendable {
    /// A file is being fetched; the counter can be read at any time.
    case started(PlannedDownload, DownloadCounter)
    /// How far everything is, several times a second.
    case progress(DownloadProgress)
    /// A file is there.
    case finished(DownloadedFile)
    /// A file is not fetched.
    case skipped(MediaKey, SkipReason)
    /// A file could not be had.
    case failed(DownloadRequest, DownloadError)
}

/// Why a file is not fetched.
package enum SkipReason: Hashable, Sendable {
    /// The archive says that it was fetched before, to this path.
    case archived(path: String)
    /// It is there already, at this path.
    case present(path: String)
    /// It stands in the input more than once.
    case repeated
    /// Another process is fetching it.
    case otherProcess
    /// It has the same content as the file at this path.
    case duplicate(path: String)
}

/// How far everything is.
package struct DownloadProgress: Sendable {
    /// What is being fetched.
    package var active: [Active]
    /// Bytes that have come in all, with those of finished files.
    package var bytes: Int

    /// One file under way.
    package struct Active: Sendable {
        package var key: MediaKey
        package var path: String
        package var bytes: Int
        package var length: Int?
    }
}

/// What came of it all.
package struct DownloadSummary: Hashable, Sendable {
    /// How many files were fetched.
    package var finished = 0
    /// How many were not, and need not be.
    package var skipped = 0
    /// How many could not be had.
    package var failed = 0
    /// The bytes of those that were fetched.
    package var bytes = 0
    /// Whether there was more to do when it was stopped.
    package var wasStopped = false

    /// Nothing yet.
    package init() {}
}
