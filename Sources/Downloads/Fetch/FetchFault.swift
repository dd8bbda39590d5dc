import HTTPTransport

/// How an attempt at a file failed, by what is to be done about it.
enum FetchFault: Error {
    /// What there is cannot be gone on with: from the start, then.
    case restart(String)
    /// What came is not the file: from the start too, and in the end this error.
    case spoiled(DownloadError)
    /// The same again, from where it stopped, perhaps later.
    case again(DownloadError, status: Int?, retryAfter: String?)
    /// Nothing helps.
    case final(DownloadError)
}
