import Crypto
import Foundation
import LocalDatabase

/// What the files of credits are written from, and what was noted of them when they were.
extension CreditLedger {
    /// Calls `body` with the path and the credit of each listed file that is there, in the order of their paths; returns
    /// which are not.
    func forEachFile(_ body: (KeptText, CreditTexts) throws -> Void) throws(DownloadError) -> MissingFiles {
        try missingFiles(among: "SELECT path, seen, credit") { row in
            try row.withText(0) { path in
                try row.withText(2) { kept in try body(KeptText(path), CreditTexts(kept: kept)) }
            }
        }
    }

    /// Which of the listed files are not there.
    func missingFiles() throws(DownloadError) -> MissingFiles { try missingFiles(among: "SELECT path, seen") { _ in } }

    private func missingFiles(
        among rows: String, _ body: (ValueReader) throws -> Void
    ) throws(DownloadError) -> MissingFiles {
        let mark = mark.number
        return try mapping {
            try database.readOnce { database in
                var missing = MissingFiles()
                var lists = FolderLists(below: folder.root)
                try database.forEachRow(of: "\(rows) FROM files WHERE path IS NOT NULL ORDER BY path") { row in
                    if row.number(1) != mark, case let path = row.text(0), !lists.have(path), !isThere(path) {
                        missing.add(path)
                    } else {
                        try body(row)
                    }
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

/// Which of the listed files are not there, as a digest: there may be many.
struct MissingFiles {
    private var hasher = Crypto.SHA256()

    mutating func add(_ path: String) { hasher.update(data: Array("\(path)\n".utf8)) }

    var digest: String { Data(hasher.finalize()).base64EncodedString() }
}
