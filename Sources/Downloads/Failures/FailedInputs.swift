import LocalDatabase
import ProviderModel

/// The inputs that failed, in batches; one that fails again or for the first time meanwhile does not come again.
struct FailedInputs: AsyncSequence, Sendable {
    private let database: LocalDatabase

    /// How many are read at a time.
    private static let batch = 64

    /// The failures in a folder's database.
    init(_ database: LocalDatabase) { self.database = database }

    /// The failures themselves.
    var batches: Batches { Batches(database: database) }

    func makeAsyncIterator() -> AsyncIterator { AsyncIterator(batches: batches) }

    /// Iterates over batches of inputs.
    struct AsyncIterator: AsyncIteratorProtocol {
        fileprivate var batches: Batches

        mutating func next() async throws -> [DownloadInput]? {
            try Task.checkCancellation()
            return try batches.next()?.compactMap { DownloadInput(line: $0.input) }
        }
    }

    /// Reads the failures by their numbers, which they keep when they fail again.
    struct Batches {
        fileprivate let database: LocalDatabase
        private var position = 0
        private var last: Int?

        fileprivate init(database: LocalDatabase) { self.database = database }

        /// The next failures; nil at the end.
        mutating func next() throws -> [FailedDownload]? {
            let last =
                try self.last
                ?? database.readOnce { database in
                    try Int.fetchOne(database, sql: "SELECT coalesce(max(number), 0) FROM failure") ?? 0
                }
            self.last = last
            let found = try database.readOnce { [position] database in
                let statement = try database.cachedStatement(
                    sql: "SELECT * FROM failure WHERE number > ? AND number <= ? ORDER BY number LIMIT ?")
                return try Row.fetchAll(statement, arguments: [position, last, FailedInputs.batch])
                    .map { (number: $0["number"] as Int, failure: try FailedDownload($0)) }
            }
            guard let end = found.last else { return nil }
            position = end.number
            return found.map(\.failure)
        }
    }
}
