import Dispatch
import ProviderModel

/// Writes the files of credits while the list that they are made from is still being read.
///
/// Looking for a file and writing of it take about as long as reading its row, and at the end of a run nothing else is
/// done. `@unchecked`: what changes is touched on `queue`, and elsewhere only when nothing is under way there.
final class CreditWriter: @unchecked Sendable {
    private let ledger: CreditLedger
    private let files: [(format: CreditFormat, file: ReplacementFile)]
    private let queue = DispatchQueue(label: "imgscript.credits")
    private let room = DispatchSemaphore(value: CreditWriter.waiting)
    private var isFirst = true
    private var notices: [String] = []
    private var missing = MissingFiles()
    private var failure: (any Error)?
    /// Rows that are not handed on yet.
    private var rows: [(path: String, credit: Credit)] = []

    /// How many rows are handed on at a time; what is less is not worth a thread.
    private static let batch = 256
    /// How many batches wait at most: a list may be long.
    private static let waiting = 2

    init(_ ledger: CreditLedger) throws {
        self.ledger = ledger
        var files: [(format: CreditFormat, file: ReplacementFile)] = []
        for format in ledger.formats {
            files.append((format, try ReplacementFile(format.fileName, in: ledger.folder.root)))
        }
        self.files = files
    }

    /// Writes all files and puts them in their places; returns which of the listed files are not there.
    func write() throws -> MissingFiles {
        do {
            for (format, file) in files { try file.write(format.beginning.utf8) }
            defer { queue.sync {} }
            try ledger.forEachRow { path, credit in
                rows.append((path, credit))
                if rows.count == Self.batch { handOn() }
            }
            queue.sync {}
            if let failure { throw failure }
            for row in rows { try write(row.path, row.credit) }
            try commit()
            return missing
        } catch {
            for (_, file) in files { file.discard() }
            throw error
        }
    }

    private func handOn() {
        let batch = rows
        rows.removeAll(keepingCapacity: true)
        room.wait()
        queue.async { [self] in
            defer { room.signal() }
            guard failure == nil else { return }
            do { for row in batch { try write(row.path, row.credit) } } catch { failure = error }
        }
    }

    private func write(_ path: String, _ credit: Credit) throws {
        guard ledger.isThere(path) else { return missing.add(path) }
        if let notice = credit.notice, !notices.contains(notice) { notices.append(notice) }
        for (format, file) in files {
            try file.add { format.write(path, credit, isFirst: isFirst, to: &$0) }
        }
        isFirst = false
    }

    private func commit() throws {
        for (format, file) in files {
            try file.write(format.end(notices).utf8)
            // Where nothing is to be credited and never was, there is no file either.
            if isFirst, !ledger.folder.hasFile(at: format.fileName) { file.discard() } else { try file.commit() }
        }
    }
}
