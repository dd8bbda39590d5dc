import Crypto
import Foundation
import LocalDatabase

/// What the files of credits are written from, and what was noted of them when they were.
extension CreditLedger {
    /// Calls `body` with each file that was ever kept here and its credit, in the order of their paths.
    func forEachRow(_ body: (String, Credit) throws -> Void) throws {
        try mapping {
            try database.readOnce { database in
                let columns = Credit.columns.joined(separator: ", ")
                let rows = try Row.fetchCursor(
                    database, sql: "SELECT path, \(columns) FROM files WHERE path IS NOT NULL ORDER BY path")
                while let row = try rows.next() { try body(row[0], Credit(row, from: 1)) }
            }
        }
    }

    /// What of the listed files is not there.
    func missingFiles() throws(DownloadError) -> MissingFiles {
        try mapping {
            try database.readOnce { database in
                var missing = MissingFiles()
                let paths = try String.fetchCursor(
                    database, sql: "SELECT path FROM files WHERE path IS NOT NULL ORDER BY path")
                while let path = try paths.next() {
                    if !isThere(path) { missing.add(path) }
                }
                return missing
            }
        }
    }

    /// What was noted of a file of credits when it was written; nil where the list has changed since.
    func writtenState(of format: CreditFormat) throws(DownloadError) -> String? {
        try mapping {
            try database.readOnce {
                try String.fetchOne(
                    $0, sql: "SELECT state FROM written WHERE file = ?", arguments: [format.fileName])
            }
        }
    }

    /// Notes that the files of credits are about to be written; whatever changes in the list takes this away again.
    func beginWriting() throws(DownloadError) {
        try writing { database in
            for format in formats {
                try database.execute(
                    sql: "INSERT OR REPLACE INTO written (file, state) VALUES (?, '')", arguments: [format.fileName])
            }
        }
    }

    /// Notes what a file of credits is, now that it is written, unless the list has changed meanwhile.
    func endWriting(_ format: CreditFormat, as state: String) throws(DownloadError) {
        try writing { database in
            try database.execute(
                sql: "UPDATE written SET state = ? WHERE file = ?", arguments: [state, format.fileName])
        }
    }
}

/// Which of the listed files are not there, as a digest: there may be many.
struct MissingFiles {
    private var hasher = Crypto.SHA256()

    mutating func add(_ path: String) { hasher.update(data: Array("\(path)\n".utf8)) }

    var digest: String { Data(hasher.finalize()).base64EncodedString() }
}
