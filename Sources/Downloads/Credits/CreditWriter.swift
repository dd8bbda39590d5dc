import ProviderModel

/// Writes the files of credits from the list.
final class CreditWriter {
    private let ledger: CreditLedger
    private let files: [(format: CreditFormat, file: ReplacementFile)]
    private var isFirst = true
    private var notices: [String] = []

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
            for (format, file) in files { try file.write(format.beginning) }
            let missing = try ledger.forEachFile { path, credit in try add(path, credit) }
            try commit()
            return missing
        } catch {
            for (_, file) in files { file.discard() }
            throw error
        }
    }

    private func add(_ path: KeptText, _ credit: CreditTexts) throws {
        for (format, file) in files {
            try file.add { text in
                text.add(isFirst ? format.opening : format.separator)
                format.write(path, credit, to: &text)
            }
        }
        isFirst = false
        guard let notice = credit.notice else { return }
        if notices.contains(where: { $0.utf8.elementsEqual(notice.bytes) }) { return }
        notices.append(notice.text)
    }

    private func commit() throws {
        for (format, file) in files {
            try file.write(format.end(notices))
            // Where nothing is to be credited and never was, there is no file either.
            if isFirst, !ledger.folder.hasFile(at: format.fileName) { file.discard() } else { try file.commit() }
        }
    }
}
