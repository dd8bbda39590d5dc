/// How a database is kept whole when a program or the machine ends in the middle of a transaction.
package enum LocalDatabaseJournal: Sendable {
    /// What is written goes into a log first. A killed program loses nothing; only a power cut may lose the last transactions,
    /// never their order.
    case writeAhead
    /// What is overwritten is kept in a file beside it until the transaction has ended. A killed program loses nothing; a power
    /// cut may damage the file.
    ///
    /// For what every short process opens and nobody misses for long: there is no log to read again and no index of it to make.
    case rollback

    /// SQLite's `journal_mode`; that of a log is kept in the file.
    var mode: String {
        switch self {
        case .writeAhead: "WAL"
        case .rollback: "DELETE"
        }
    }

    /// SQLite's `synchronous`.
    var synchronous: String {
        switch self {
        case .writeAhead: "NORMAL"
        case .rollback: "OFF"
        }
    }
}
