import Dispatch
import ProviderModel

/// Writes the files of credits from the list, a part on each processor: at the end of a run nothing else is done.
final class CreditWriter {
    private let ledger: CreditLedger
    private let files: [(format: CreditFormat, file: ReplacementFile)]
    private var isFirst = true
    private var notices: [String] = []
    private var missing = MissingFiles()

    /// How many rows make a part; fewer are not worth a thread.
    private static let partSize = 128
    /// How many parts are under way at most: a list may be long.
    private static let limit = 4

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
            try writeRows()
            try commit()
            return missing
        } catch {
            for (_, file) in files { file.discard() }
            throw error
        }
    }

    private func writeRows() throws {
        let queue = DispatchQueue(label: "imgscript.credits", attributes: .concurrent)
        var underWay: [CreditPart] = []
        // Nothing is left at work when reading fails.
        defer { for part in underWay { part.finish() } }
        var part = CreditPart(of: ledger)
        try ledger.forEachRow { file in
            part.files.append(file)
            guard part.files.count == Self.partSize else { return }
            part.begin(on: queue)
            underWay.append(part)
            part = CreditPart(of: ledger)
            if underWay.count == Self.limit { try add(underWay.removeFirst()) }
        }
        while !underWay.isEmpty { try add(underWay.removeFirst()) }
        try add(part)
    }

    private func add(_ part: CreditPart) throws {
        part.finish()
        for path in part.missing { missing.add(path) }
        for notice in part.notices where !notices.contains(notice) { notices.append(notice) }
        guard !part.isEmpty else { return }
        for ((format, file), text) in zip(files, part.texts) {
            try file.write((isFirst ? format.opening : format.separator).utf8)
            try file.write(text)
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
