import Crypto
import Foundation
import LocalDatabase

/// What the files of credits are written from, and what was noted of them when they were.
extension CreditLedger {
    /// Calls `body` with each file that was ever kept here and its credit, in the order of their paths.
    func forEachRow(_ body: (ListedFile) throws -> Void) throws {
        let mark = mark.number
        try mapping {
            try database.readOnce { database in
                let rows = "SELECT path, credit, seen FROM files WHERE path IS NOT NULL ORDER BY path"
                try database.forEachRow(of: rows) { row in
                    try body(ListedFile(path: row.text(0), kept: row.bytes(1), wasSeen: row.number(2) == mark))
                }
            }
        }
    }

    /// What of the listed files is not there.
    func missingFiles() throws(DownloadError) -> MissingFiles {
        let mark = mark.number
        return try mapping {
            try database.readOnce { database in
                var missing = MissingFiles()
                var lists = FolderLists(below: folder.root)
                let rows = "SELECT path, seen FROM files WHERE path IS NOT NULL ORDER BY path"
                try database.forEachRow(of: rows) { row in
                    if row.number(1) == mark { return }
                    let path = row.text(0)
                    if !lists.have(path), !isThere(path) { missing.add(path) }
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

    /// Notes what the files of credits are, now that they are written, unless the list has changed meanwhile.
    func endWriting(_ states: [(format: CreditFormat, state: String?)]) throws(DownloadError) {
        try writing { database in
            for (format, state) in states {
                guard let state else { continue }
                try database.execute(
                    sql: "UPDATE written SET state = ? WHERE file = ?", arguments: [state, format.fileName])
            }
        }
    }
}

/// A file of the list that has a place.
struct ListedFile {
    var path: String
    /// The fields of its credit.
    var kept: [UInt8]
    /// Whether this run saw it only just now.
    var wasSeen: Bool
}

/// Which of the listed files are not there, as a digest: there may be many.
struct MissingFiles {
    private var hasher = Crypto.SHA256()

    mutating func add(_ path: String) { hasher.update(data: Array("\(path)\n".utf8)) }

    var digest: String { Data(hasher.finalize()).base64EncodedString() }
}
